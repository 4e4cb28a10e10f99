// The Vercel AI SDK in front of the gateway; gateway_clients.py runs it.
import assert from 'node:assert/strict';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, streamText } from 'ai';

const [base, apiKey, model, claude, prompt, masked, order] = process.argv.slice(2);
const openai = createOpenAI({ baseURL: `${base}/v1`, apiKey });
const anthropic = createAnthropic({ baseURL: `${base}/v1`, apiKey });

for (const [name, choice] of [
  ['chat', openai.chat(model)],
  ['responses', openai.responses(model)],
  ['messages', anthropic(claude)],
]) {
  const call = { model: choice, maxRetries: 0, maxOutputTokens: 100 };
  assert.equal((await generateText({ ...call, prompt })).text, masked, name);
  assert.equal(await streamText({ ...call, prompt }).text, masked, name);
  for (const refused of [await generateText({ ...call, prompt: order }), streamText({ ...call, prompt: order })]) {
    assert.equal(await refused.finishReason, 'content-filter', name);
  }
}
