import { describe, expect, test } from 'vitest';
import { ApiProblem } from './platform/api/request.ts';
import { ASK_AGAIN_MS, guardHome, guardRoute, passes, safeReturnUrl, signInHolds } from './guards.ts';

const therapist = { id: 1, authorities: ['ROLE_THERAPIST'] };
const client = { id: 2, authorities: ['ROLE_CLIENT'] };
const admin = { id: 3, authorities: ['ROLE_ADMIN', 'ROLE_THERAPIST'] };
const stored = { id: 1, roles: ['ROLE_THERAPIST'], joinLink: 'anna' };
const THERAPIST = { groups: ['ROLE_THERAPIST'] as const };

describe('any route', () => {
  test('without a user: sign-in with returnUrl', () => {
    expect(guardRoute(THERAPIST, '/app/play-area?x=1', null)).toEqual({
      kind: 'login',
      returnUrl: '/app/play-area?x=1',
    });
  });
  test('a required group that the person has, or no required group', () => {
    expect(guardRoute(THERAPIST, '/app/play-area', therapist)).toEqual({ kind: 'allow' });
    expect(guardRoute(THERAPIST, '/app/play-area', admin)).toEqual({ kind: 'allow' });
    expect(guardRoute({}, '/app/welcome', client)).toEqual({ kind: 'allow' });
  });
  test('a client on the play area is led to their own view; on other pages they are unauthorised', () => {
    expect(guardRoute(THERAPIST, '/app/play-area?debug=1', client)).toEqual({ kind: 'go', to: '/app/play-area-view' });
    expect(guardRoute(THERAPIST, '/app/dashboard', client)).toEqual({ kind: 'go', to: '/auth/unauthorized' });
  });
  test('15.5 an operator without a practice starts with the usage, because the dashboard is about a practice', () => {
    const operator = { authorities: ['ROLE_ADMIN'] };
    expect(guardRoute(THERAPIST, '/app/dashboard', operator)).toEqual({ kind: 'go', to: '/app/user-system-usage' });
    expect(guardRoute(THERAPIST, '/app/dashboard', admin)).toEqual({ kind: 'allow' });
    expect(guardRoute(THERAPIST, '/app/history', operator)).toEqual({ kind: 'go', to: '/auth/unauthorized' });
  });
  test('anybody else without the group is unauthorised', () => {
    expect(guardRoute({ groups: ['ROLE_ADMIN'] }, '/app/cron-job-conf', therapist)).toEqual({
      kind: 'go',
      to: '/auth/unauthorized',
    });
    expect(guardRoute({ groups: ['ROLE_CLIENT'] }, '/app/play-area', therapist)).toEqual({
      kind: 'go',
      to: '/auth/unauthorized',
    });
  });
  test('an excluded group refuses even with a required one', () => {
    expect(passes({ groups: ['ROLE_THERAPIST'], noGroups: ['ROLE_ADMIN'] }, admin)).toBe(false);
    expect(passes({ noGroups: ['ROLE_CLIENT'] }, therapist)).toBe(true);
  });
});

describe("the path '/'", () => {
  test('a client beside a stored therapist is removed', () =>
    expect(guardHome(client, stored)).toEqual({ kind: 'login', removeUser: true }));
  test('a client alone stays stored and sees the sign-in', () =>
    expect(guardHome(client, null)).toEqual({ kind: 'login', removeUser: false }));
  test('a therapist’s sign-in is checked with the server', () =>
    expect(guardHome(therapist, stored)).toEqual({ kind: 'ask', userId: 1 }));
  test('a stranger sees the sign-in', () =>
    expect(guardHome(null, null)).toEqual({ kind: 'login', removeUser: false }));
});

describe('the target after a sign-in', () => {
  test.each([
    ['/app/play-area', '/app/play-area'],
    ['/app/welcome?x=1#y', '/app/welcome?x=1#y'],
  ])('%s is followed', (raw, to) => expect(safeReturnUrl(raw, therapist)).toBe(to));
  test("'/' leads a therapist to the play area, as it does when signed in", () =>
    expect(safeReturnUrl('/', therapist)).toBe('/app/play-area'));
  test.each([client, null])("'/' leads nobody else there", (user) =>
    expect(safeReturnUrl('/', user)).toBe('/app/dashboard'),
  );
  test.each([
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    'data:text/html,x',
    '/\t/evil.example',
    '',
    '/user/login',
    '/auth/unauthorized',
    undefined,
    7,
    'app',
  ])('%s leads to the dashboard', (raw) => expect(safeReturnUrl(raw, therapist)).toBe('/app/dashboard'));
});

describe('whether a sign-in holds', () => {
  /** Answers of the server, in sequence; the pauses between them are recorded instead of waited for. */
  async function asked(...answers: (boolean | ApiProblem | Error)[]) {
    const pauses: number[] = [];
    let count = 0;
    const holds = await signInHolds(
      async () => {
        const answer = answers[Math.min(count, answers.length - 1)]!;
        count += 1;
        if (typeof answer !== 'boolean') throw answer;
        return answer;
      },
      async (ms) => void pauses.push(ms),
    );
    return { holds, count, pauses };
  }
  const passing = [
    new ApiProblem('offline'),
    new ApiProblem('shutting_down', { status: 503 }),
    new ApiProblem('too_many_requests', { status: 429 }),
    new ApiProblem('unknown_fault', { status: 500 }),
    new Error('anything else'),
  ];

  test.each([
    ['yes', true],
    ['no', false],
  ] as const)('a plain %s is trusted at once', async (_, answer) => {
    expect(await asked(answer)).toEqual({ holds: answer, count: 1, pauses: [] });
  });
  test.each(['session_expired', 'not_signed_in'] as const)('%s ends it', async (code) => {
    expect(await asked(new ApiProblem(code, { status: 401 }))).toEqual({ holds: false, count: 1, pauses: [] });
  });
  test.each(passing)('%s is checked again, and the answer to that counts', async (fault) => {
    expect(await asked(fault, fault, true)).toEqual({ holds: true, count: 3, pauses: [1_000, 2_000] });
    expect(await asked(fault, false)).toEqual({ holds: false, count: 2, pauses: [1_000] });
  });
  test.each(passing)('a lasting %s ends nobody’s sign-in', async (fault) => {
    expect(await asked(fault)).toEqual({ holds: true, count: 4, pauses: [...ASK_AGAIN_MS] });
  });
});
