/** Where the room's skip link leads. */
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { afterEach, beforeAll, expect, test } from 'vitest';
import words from '../../../locales/en/field.json';
import { FIELD_ID, SkipToField } from './SkipToField.tsx';

beforeAll(() => i18next.use(initReactI18next).init({ lng: 'en', ns: ['field'], resources: { en: { field: words } } }));
afterEach(cleanup);

test('5.25 to the first figure, without a browser history entry', () => {
  render(
    <>
      <SkipToField />
      <main id={FIELD_ID}>
        <svg>
          <g data-figure="2" tabIndex={0} />
          <g data-figure="1" tabIndex={0} />
        </svg>
      </main>
    </>,
  );
  const before = window.history.length;
  // False: the browser does not follow the link.
  expect(fireEvent.click(screen.getByRole('link', { name: 'Skip to the field' }))).toBe(false);
  expect(document.activeElement?.getAttribute('data-figure')).toBe('2');
  expect(window.history.length).toBe(before);
});

test('5.25 to an empty field, which can be focused only until it loses the focus', () => {
  render(
    <>
      <SkipToField />
      <main id={FIELD_ID} />
    </>,
  );
  const field = screen.getByRole('main');
  fireEvent.click(screen.getByRole('link'));
  expect(document.activeElement).toBe(field);
  screen.getByRole('link').focus();
  expect(field.hasAttribute('tabindex')).toBe(false);
});
