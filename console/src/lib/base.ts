/**
 * The path under which the service is reached, without a slash at the end: empty, or such as `/guard`. The service writes
 * it into the page.
 */
export const basePath = typeof document === 'undefined' ? '' : pathOf(document.baseURI);

/** Returns a path of the service as the browser reaches it. */
export const at = (path: string): string => basePath + path;

/** Returns the path of an address without a slash at the end. */
export function pathOf(address: string): string {
  return new URL(address).pathname.replace(/\/$/, '');
}
