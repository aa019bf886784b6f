import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blocksOf } from './descriptionBlocks.ts';

describe('a description', () => {
  test('headings, times, lists and paragraphs are recognised', () => {
    expect(
      blocksOf(
        'A slow day.\nFor eight people.\n\nHow the day goes\n09:30 Arriving\n10.15–12.00 Uhr: Working\n\nGood to know\nYou can take part without placing a question of your own, and you may leave.\n\nPlease bring:\n- socks\n• a pen\n\n1. First\n2) Second',
      ),
    ).toEqual([
      { kind: 'text', text: 'A slow day.\nFor eight people.' },
      { kind: 'heading', text: 'How the day goes' },
      {
        kind: 'times',
        rows: [
          ['09:30', 'Arriving'],
          ['10.15–12.00', 'Working'],
        ],
      },
      { kind: 'heading', text: 'Good to know' },
      { kind: 'text', text: 'You can take part without placing a question of your own, and you may leave.' },
      { kind: 'heading', text: 'Please bring' },
      { kind: 'list', items: ['socks', 'a pen'] },
      { kind: 'numbered', start: 1, items: ['First', 'Second'] },
    ]);
  });
  test('a sentence that begins with a date or a time is not a list', () => {
    expect(blocksOf('12. Dezember wird es ruhig.\n\n9.30 Uhr ist Beginn')).toEqual([
      { kind: 'text', text: '12. Dezember wird es ruhig.' },
      { kind: 'text', text: '9.30 Uhr ist Beginn' },
    ]);
  });
  test('9.22: Markdown’s paired marks are removed, and single ones are kept', () => {
    expect(
      blocksOf('# Who it is for\n**Everybody** who likes it.\n## Where\n- **Here**\n\n2 ** 3 is 8, #1 of all'),
    ).toEqual([
      { kind: 'heading', text: 'Who it is for' },
      { kind: 'text', text: 'Everybody who likes it.' },
      { kind: 'heading', text: 'Where' },
      { kind: 'list', items: ['Here'] },
      { kind: 'text', text: '2 ** 3 is 8, #1 of all' },
    ]);
  });
  test('9.22: a sentence above a list stays a sentence', () => {
    expect(blocksOf('You should bring these.\n- tea')).toEqual([
      { kind: 'text', text: 'You should bring these.' },
      { kind: 'list', items: ['tea'] },
    ]);
  });
  test('consecutive short lines stay a verse', () => {
    expect(blocksOf('Roses\nare red')).toEqual([{ kind: 'text', text: 'Roses\nare red' }]);
  });
  test('no text loses a word', () => {
    const words = (text: string) => text.match(/[a-z]+/g) ?? [];
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            '- a',
            '* b',
            '1. c',
            '2. d',
            '09:00 e',
            '10:30 f',
            'g',
            'h:',
            'i '.repeat(40).trim(),
            '',
            '  j',
            '# k',
            '**l** m',
          ),
        ),
        (lines) => {
          const text = lines.join('\n');
          const shown = blocksOf(text).flatMap((block) =>
            block.kind === 'list' || block.kind === 'numbered'
              ? block.items
              : block.kind === 'times'
                ? block.rows.map(([, said]) => said)
                : [block.text],
          );
          expect(shown.flatMap(words)).toEqual(words(text));
        },
      ),
    );
  });
});
