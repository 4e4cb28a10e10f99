import { common } from '@/messages/common';
/** A failure that the server reported. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    /** The message of the server. */
    readonly detail: string,
    /** Identifies the request in the server's log; null if nothing answered. */
    readonly correlationId: string | null,
    /** Seconds until a retry makes sense; null if the server did not say. */
    readonly retryAfter: number | null,
  ) {
    super(detail);
  }
}

/** Creates the error for a response that is not a success. */
export function toApiError(response: Response, body: unknown): ApiError {
  const retry = Number(response.headers.get('Retry-After'));
  return new ApiError(
    response.status,
    detailOf(body) ?? common.serverStatus(response.status),
    response.headers.get('X-Correlation-ID'),
    retry > 0 ? retry : null,
  );
}

/** Returns `detail`, which is a string or, for rate limits, an object with a message. */
function detailOf(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('detail' in body)) return null;
  const { detail } = body;
  if (typeof detail === 'string') return detail;
  if (typeof detail === 'object' && detail !== null && 'message' in detail) return String(detail.message);
  return null;
}

const INVALID = 422;
const REFUSED = [400, INVALID];

/** Returns what the service says about values that it refuses; null for other failures. */
export const refusal = (error: unknown): string | null =>
  error instanceof ApiError && REFUSED.includes(error.status) ? error.detail : null;

/** Describes any failure for the user. */
export function describeError(error: unknown): { detail: string; correlationId: string | null } {
  // Input that the user can correct needs no search in the log of the server.
  if (error instanceof ApiError)
    return { detail: error.detail, correlationId: error.status === INVALID ? null : error.correlationId };
  if (error instanceof TypeError) return { detail: common.serverUnreachable, correlationId: null };
  return { detail: error instanceof Error ? error.message : String(error), correlationId: null };
}

/** Returns what an error says about a field, such as `gateway.routes.0.model`; null if it is about something else. */
export function fieldError(error: unknown, field: string): string | null {
  if (!(error instanceof ApiError)) return null;
  const { detail } = error;
  let message: string | null = null;
  if (detail.startsWith(`${field}: `)) message = detail.slice(field.length + 2);
  // As in `field required: name`.
  else if (detail.endsWith(`: ${field}`)) message = detail.slice(0, -field.length - 2);
  return message && message.charAt(0).toUpperCase() + message.slice(1);
}
