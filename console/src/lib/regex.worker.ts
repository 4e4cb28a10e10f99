// Matches in a worker, so that a pattern that never finishes can be stopped. The service uses another engine, which
// matches in linear time.
type MatchRequest = { pattern: string; flags: string; text: string };

addEventListener('message', ({ data: { pattern, flags, text } }: MessageEvent<MatchRequest>) => {
  try {
    const spans = [...text.matchAll(new RegExp(pattern, `${flags}gu`))]
      .slice(0, 1_000)
      .map(({ 0: found, index }) => [index, index + found.length]);
    postMessage({ spans });
  } catch (error) {
    postMessage({
      error: error instanceof Error ? error.message.replace(/^Invalid regular expression: /, '') : String(error),
    });
  }
});
