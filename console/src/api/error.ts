import { common } from '@/messages/common';
/** An answer of the server that reports a failure. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    /** The server's own words. */
    readonly detail: string,
    /** Under which the request is found in the server's log; null when nothing answered. */
    readonly correlationId: string | null,
    /** Seconds until another attempt makes sense. */
    readonly retryAfter: number | null,
  ) {
    super(detail);
  }
}

/** Reads an answer that is no success. */
export function toApiError(response: Response, body: unknown): ApiError {
  const retry = Number(response.headers.get('Retry-After'));
  return new ApiError(
    response.status,
    detailOf(body) ?? common.serverStatus(response.status),
    response.headers.get('X-Correlation-ID'),
    retry > 0 ? retry : null,
  );
}

/** `detail` is a string, or the object of a rate limit with a message. */
function detailOf(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('detail' in body)) return null;
  const { detail } = body;
  if (typeof detail === 'string') return detail;
  if (typeof detail === 'object' && detail !== null && 'message' in detail) return String(detail.message);
  return null;
}

/** Any failure in words. */
export function describeError(error: unknown): { detail: string; correlationId: string | null } {
  if (error instanceof ApiError) return { detail: error.detail, correlationId: error.correlationId };
  if (error instanceof TypeError) return { detail: common.serverUnreachable, correlationId: null };
  return { detail: error instanceof Error ? error.message : String(error), correlationId: null };
}
