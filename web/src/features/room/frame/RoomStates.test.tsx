import { MantineProvider } from '@mantine/core';
import { cleanup, render, screen } from '@testing-library/react';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { afterEach, beforeAll, expect, test } from 'vitest';
import problems from '../../../locales/en/problems.json';
import room from '../../../locales/en/room.json';
import { ApiProblem } from '../../../platform/api/index.ts';
import { RoomStopped } from './RoomStates.tsx';

beforeAll(() => i18next.use(initReactI18next).init({ lng: 'en', resources: { en: { room, problems } } }));
afterEach(cleanup);

/** The buttons in their order, the main one marked. */
function acts(kind: 'ended' | 'failed') {
  const { container } = render(
    <MantineProvider>
      <RoomStopped kind={kind} onAgain={() => undefined} />
    </MantineProvider>,
  );
  return [...container.querySelectorAll<HTMLElement>('.acts :is(button, a)')].map(
    ({ textContent, dataset }) => `${textContent}${dataset['variant'] === 'default' ? '' : ' (main)'}`,
  );
}

test('4.13 after the end the main button leads to the dashboard, after a fault it tries again', () => {
  expect(acts('ended')).toEqual(['Open the field again', 'Back to dashboard (main)']);
  cleanup();
  expect(acts('failed')).toEqual(['Back to dashboard', 'Try again (main)']);
});

test('12.1 a room that could not be opened says why, with the server’s wait and reference', () => {
  const stopped = (problem: ApiProblem) => {
    render(
      <MantineProvider>
        <RoomStopped kind="failed" problem={problem} withoutDashboard onAgain={() => undefined} />
      </MantineProvider>,
    );
    const text = screen.getByRole('heading', { level: 1 }).textContent;
    // A client has no dashboard.
    expect(screen.queryByRole('link')).toBeNull();
    cleanup();
    return text;
  };
  expect(stopped(new ApiProblem('unknown_fault', { status: 500, reference: 'req-77' }))).toBe(
    'Something went wrong on our side. Your data hasn’t changed. Reference req-77.',
  );
  expect(stopped(new ApiProblem('too_many_requests', { status: 429, retryAfterSeconds: 40 }))).toBe(
    'Too many attempts. Please wait 40 seconds.',
  );
});
