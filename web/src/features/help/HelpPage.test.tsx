/** The help, and who finds the form for messages to the operator in it (docs/product.md#11.39). */
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { startWords } from '../../platform/i18n/app.ts';
import { keepSignIn, storage } from '../../platform/storage.ts';
import { HelpPage } from './HelpPage.tsx';

vi.mock('@tanstack/react-router', () => ({
  Link: ({ to, children }: { to: string; children: string }) => <a href={to}>{children}</a>,
}));
vi.mock('../usage/running/index.ts', () => ({ TrialNotice: () => null }));

beforeAll(async () => {
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
  await startWords(['help']);
});
afterEach(() => {
  cleanup();
  localStorage.clear();
});
function draw(role: 'ROLE_THERAPIST' | 'ROLE_ADMIN' | 'ROLE_CLIENT') {
  keepSignIn(storage, {
    token: 'token',
    user: {
      id: 7,
      firstName: 'Anna',
      lastName: 'Berg',
      email: 'anna@berg.example',
      roles: [role],
      authorities: [role],
      language: 'en',
      slug: 'anna',
      joinLink: 'anna',
    },
  });
  render(<HelpPage />);
}

test.each(['ROLE_THERAPIST', 'ROLE_ADMIN'] as const)('11.39 %s finds the form for messages to the operator', (role) => {
  draw(role);
  expect(screen.getByRole('link', { name: 'Write to us' }).getAttribute('href')).toBe('/app/support');
});

test('11.39 clients read the answers, without links to pages they may not see', () => {
  draw('ROLE_CLIENT');
  expect(screen.getByRole('heading', { name: 'How do I start a session?' })).toBeTruthy();
  expect(screen.queryByRole('link')).toBeNull();
});
