/** A text, whether it should be stopped, and whether it was. */
export type EvaluatedText = { text: string; expected: boolean; stopped: boolean };

/** Counts of the four cases and the rates computed from them. A rate is null if it would divide by zero. */
export type Confusion = {
  stoppedRightly: number;
  stoppedWrongly: number;
  missed: number;
  passedRightly: number;
  recall: number | null;
  precision: number | null;
  falsePositiveRate: number | null;
};

/** Computes the confusion matrix of a batch. */
export function confusion(texts: EvaluatedText[]): Confusion {
  const count = (expected: boolean, stopped: boolean) =>
    texts.filter((text) => text.expected === expected && text.stopped === stopped).length;
  const [stoppedRightly, stoppedWrongly, missed, passedRightly] = [
    count(true, true),
    count(false, true),
    count(true, false),
    count(false, false),
  ];
  const share = (part: number, rest: number) => (part + rest === 0 ? null : part / (part + rest));
  return {
    stoppedRightly,
    stoppedWrongly,
    missed,
    passedRightly,
    recall: share(stoppedRightly, missed),
    precision: share(stoppedRightly, stoppedWrongly),
    falsePositiveRate: share(stoppedWrongly, passedRightly),
  };
}

const STOP = new Set([
  '1',
  'true',
  'yes',
  'block',
  'blocked',
  'attack',
  'bad',
  'unsafe',
  'malicious',
  'injection',
  'jailbreak',
  'challenge',
  'escalate',
]);
const PASS = new Set(['0', 'false', 'no', 'allow', 'allowed', 'benign', 'good', 'safe', 'ok', 'mask', 'masked', '']);

/** Returns whether a CSV label expects the text to be stopped; null for unknown labels. */
export function expectation(label: string): boolean | null {
  const word = label.trim().toLowerCase();
  return STOP.has(word) ? true : PASS.has(word) ? false : null;
}
