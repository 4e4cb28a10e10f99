import { translated } from './translated';

/** Descriptions by the names of guardrails and permissions. The API has the English ones. */
const english: Record<string, string> = {};

export const descriptions = translated('descriptions', english);
