/**
 * Structures a therapist's plain text: paragraphs, short headings, lists, and lines that begin with a time
 * (docs/product.md#9.22). Nothing else is interpreted, so no mark-up can get in.
 */
import { headingIn, withoutMarks } from '@fieldroom/contract/events';

export type Block =
  | { kind: 'text'; text: string }
  | { kind: 'heading'; text: string }
  | { kind: 'list'; items: string[] }
  | { kind: 'numbered'; start: number; items: string[] }
  | { kind: 'times'; rows: [time: string, text: string][] };

type Line =
  | { kind: 'text' | 'heading' | 'bullet'; text: string }
  | { kind: 'number' | 'time'; mark: string; text: string };

const HEADING_MAX = 60;

function lineOf(line: string): Line {
  // Single spaces keep the expressions below linear; a browser shows runs of spaces as one anyway.
  const text = line.replace(/\s+/gu, ' ').trim();
  const marked = headingIn(text);
  if (marked !== null) return { kind: 'heading', text: marked };
  const bullet = /^[-*•·–] (\S.*)$/u.exec(text);
  if (bullet) return { kind: 'bullet', text: bullet[1]! };
  const time = /^(\d{1,2}[:.]\d{2}(?: ?[–-] ?\d{1,2}[:.]\d{2})?)(?: ?(?:Uhr|h|óra)\b)? ?[:–-]? (\S.*)$/u.exec(text);
  if (time) return { kind: 'time', mark: time[1]!, text: time[2]! };
  const number = /^(\d{1,2})[.)] (\S.*)$/u.exec(text);
  if (number) return { kind: 'number', mark: number[1]!, text: number[2]! };
  return { kind: 'text', text };
}

const soundsLikeHeading = (text: string) => text.length > 0 && text.length <= HEADING_MAX && !/[.!?,;]$/u.test(text);
const heading = (text: string): Block => ({
  kind: 'heading',
  text: text.endsWith(':') ? text.slice(0, -1).trimEnd() : text,
});

/**
 * Consecutive lines without an empty one between. A short first line above a long one is a heading, so is the last line
 * above a list.
 */
function textBlocks(lines: string[], listFollows: boolean): Block[] {
  const blocks: Block[] = [];
  let rest = lines;
  if (rest.length > 1 && soundsLikeHeading(rest[0]!) && rest[1]!.length >= HEADING_MAX) {
    blocks.push(heading(rest[0]!));
    rest = rest.slice(1);
  }
  const last = rest.at(-1);
  const ends = listFollows && last !== undefined && soundsLikeHeading(last);
  if (ends) rest = rest.slice(0, -1);
  if (rest.length > 0) blocks.push({ kind: 'text', text: rest.join('\n') });
  if (ends) blocks.push(heading(last));
  return blocks;
}

/** Takes the description as it was written. Returns the blocks to show, in order. */
export function blocksOf(description: string): Block[] {
  return description.split(/\n\s*\n/u).flatMap((part) => {
    const lines = part
      .split('\n')
      .map(withoutMarks)
      .filter((line) => line.trim() !== '');
    const parsed = lines.map(lineOf);
    // A single line with a number or a time is a sentence; only several of them are a list.
    const kinds = parsed.map(({ kind }, index) =>
      (kind === 'number' || kind === 'time') && parsed[index - 1]?.kind !== kind && parsed[index + 1]?.kind !== kind
        ? 'text'
        : kind,
    );
    const blocks: Block[] = [];
    for (let from = 0; from < parsed.length;) {
      const kind = kinds[from]!;
      let to = from + 1;
      while (to < parsed.length && kinds[to] === kind) to += 1;
      const group = parsed.slice(from, to);
      if (kind === 'text')
        blocks.push(
          ...textBlocks(
            lines.slice(from, to).map((line) => line.trim()),
            to < parsed.length,
          ),
        );
      else if (kind === 'heading') blocks.push(...group.map(({ text }) => heading(text)));
      else if (kind === 'bullet') blocks.push({ kind: 'list', items: group.map(({ text }) => text) });
      else if (kind === 'number')
        blocks.push({
          kind: 'numbered',
          start: Number((group[0] as { mark: string }).mark),
          items: group.map(({ text }) => text),
        });
      else blocks.push({ kind: 'times', rows: group.map((line) => [(line as { mark: string }).mark, line.text]) });
      from = to;
    }
    return blocks;
  });
}
