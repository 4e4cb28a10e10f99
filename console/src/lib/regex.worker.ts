// Matches in a thread of its own: a pattern that takes for ever in a browser can be given up on. (The service matches in
// linear time, by another engine.)
type Asked = { pattern: string; flags: string; text: string };

onmessage = ({ data: { pattern, flags, text } }: MessageEvent<Asked>) => {
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
};
