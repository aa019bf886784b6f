/** The keyword field: when it searches, and for what. */
import { MantineProvider } from '@mantine/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { theme } from '../theme/theme.ts';
import { ASK_AFTER_MS } from '../typingTimes.ts';
import { KeywordField, type KeywordFieldProps } from './KeywordField.tsx';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

/** The field that searches for `keyword`. Returns a function that draws it again with other properties. */
function open(props: Pick<KeywordFieldProps, 'keyword' | 'onKeyword'> & Partial<KeywordFieldProps>) {
  const field = (given: typeof props) => (
    <MantineProvider theme={theme} env="test" withCssVariables={false} withGlobalClasses={false}>
      <KeywordField label="Find" clearLabel="Empty" maxLength={40} faultOf={() => null} {...given} />
    </MantineProvider>
  );
  const { rerender } = render(field(props));
  return { redraw: (given: typeof props) => rerender(field(given)) };
}
const type = (text: string) => fireEvent.change(screen.getByRole('searchbox'), { target: { value: text } });

test('it searches for the trimmed word once typing pauses', () => {
  const asked: (string | null)[] = [];
  open({ keyword: '', onKeyword: (word) => void asked.push(word) });
  type(' ev');
  vi.advanceTimersByTime(ASK_AFTER_MS - 1);
  type(' evening ');
  vi.advanceTimersByTime(ASK_AFTER_MS - 1);
  expect(asked).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(asked).toEqual(['evening']);
});

test('the word that the list shows already is not searched for again', () => {
  const asked: (string | null)[] = [];
  open({ keyword: 'evening', onKeyword: (word) => void asked.push(word) });
  type('evening ');
  vi.advanceTimersByTime(ASK_AFTER_MS);
  expect(asked).toEqual([]);
});

test('a button empties it, and is there while there is something to empty', () => {
  const asked: (string | null)[] = [];
  open({ keyword: 'evening', onKeyword: (word) => void asked.push(word) });
  fireEvent.click(screen.getByRole('button', { name: 'Empty' }));
  vi.advanceTimersByTime(ASK_AFTER_MS);
  expect(asked).toEqual([null]);
  expect(screen.queryByRole('button', { name: 'Empty' })).toBeNull();
});

test("it calls the page's current callback once typing pauses: other filters may have changed", () => {
  const asked: string[] = [];
  const { redraw } = open({ keyword: '', onKeyword: (word) => void asked.push(`old filter, ${word}`) });
  type('evening');
  redraw({ keyword: '', onKeyword: (word) => void asked.push(`new filter, ${word}`) });
  vi.advanceTimersByTime(ASK_AFTER_MS);
  expect(asked).toEqual(['new filter, evening']);
});

test('a word with a fault is reported and not searched for', () => {
  const asked: (string | null)[] = [];
  const faultOf = (text: string) => (text.includes('!') ? 'No exclamation marks' : null);
  open({ keyword: '', onKeyword: (word) => void asked.push(word), faultOf });
  type('evening!');
  expect(screen.getByText('No exclamation marks')).toBeTruthy();
  vi.advanceTimersByTime(ASK_AFTER_MS);
  expect(asked).toEqual([]);
  type('evening');
  expect(screen.queryByText('No exclamation marks')).toBeNull();
  vi.advanceTimersByTime(ASK_AFTER_MS);
  expect(asked).toEqual(['evening']);
});
