import { createElement, Fragment, type ReactNode } from 'react';

/** The placeholders of a message: `'a {x} b {y}'` has `'x' | 'y'`. */
type Placeholder<Message extends string> = Message extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never;

/** Returns the message with an element in place of each `{name}`. */
export function fill<const Message extends string>(
  message: Message,
  values: Record<Placeholder<Message>, ReactNode>,
): ReactNode {
  const parts = message.split(/\{(\w+)\}/);
  const named = values as Record<string, ReactNode>;
  return createElement(Fragment, null, ...parts.map((part, index) => (index % 2 === 0 ? part : named[part])));
}
