import { MantineProvider } from '@mantine/core';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { LanguageMenu } from './LanguageMenu.tsx';

afterEach(cleanup);

const ENGLISH = { code: 'en', label: 'English' };
const GERMAN = { code: 'de', label: 'Deutsch' };
const draw = (languages: (typeof ENGLISH)[]) =>
  render(
    <MantineProvider env="test">
      <LanguageMenu label="Language" languages={languages} current="en" onPick={vi.fn()} />
    </MantineProvider>,
  );

test('11.1 the language menu is shown for two languages and hidden for one', () => {
  draw([ENGLISH, GERMAN]);
  expect(screen.getByRole('button', { name: 'Language: English' })).toBeTruthy();
  cleanup();
  draw([ENGLISH]);
  expect(screen.queryByRole('button')).toBeNull();
});
