import { describe, expect, test } from 'vitest';
import { guardHome, guardRoute, passes, safeReturnUrl } from './guards.ts';

const therapist = { id: 1, authorities: ['ROLE_THERAPIST'] };
const client = { id: 2, authorities: ['ROLE_CLIENT'] };
const admin = { id: 3, authorities: ['ROLE_ADMIN', 'ROLE_THERAPIST'] };
const stored = { id: 1, roles: ['ROLE_THERAPIST'], joinLink: 'anna' };
const THERAPIST = { groups: ['ROLE_THERAPIST'] as const };

describe('any route (specification 4.1)', () => {
  test('without a user: sign-in with returnUrl', () => {
    expect(guardRoute(THERAPIST, '/app/play-area?x=1', null)).toEqual({
      kind: 'login',
      returnUrl: '/app/play-area?x=1',
    });
  });
  test('a required group that is there, or none required', () => {
    expect(guardRoute(THERAPIST, '/app/play-area', therapist)).toEqual({ kind: 'allow' });
    expect(guardRoute(THERAPIST, '/app/play-area', admin)).toEqual({ kind: 'allow' });
    expect(guardRoute({}, '/app/welcome', client)).toEqual({ kind: 'allow' });
  });
  test('a client on the play area goes to its own view; on other pages it is unauthorized', () => {
    expect(guardRoute(THERAPIST, '/app/play-area?debug=1', client)).toEqual({ kind: 'go', to: '/app/play-area-view' });
    expect(guardRoute(THERAPIST, '/app/dashboard', client)).toEqual({ kind: 'go', to: '/auth/unauthorized' });
  });
  test('anybody else who fails is unauthorized', () => {
    expect(guardRoute({ groups: ['ROLE_ADMIN'] }, '/app/cron-job-conf', therapist)).toEqual({
      kind: 'go',
      to: '/auth/unauthorized',
    });
    expect(guardRoute({ groups: ['ROLE_CLIENT'] }, '/app/play-area', therapist)).toEqual({
      kind: 'go',
      to: '/auth/unauthorized',
    });
  });
  test('an excluded group refuses even where a required one is there', () => {
    expect(passes({ groups: ['ROLE_THERAPIST'], noGroups: ['ROLE_ADMIN'] }, admin)).toBe(false);
    expect(passes({ noGroups: ['ROLE_CLIENT'] }, therapist)).toBe(true);
  });
});

describe("the path '/'", () => {
  test('a client beside a stored therapist is removed', () =>
    expect(guardHome(client, stored)).toEqual({ kind: 'login', removeUser: true }));
  test('a client alone stays stored and meets sign-in', () =>
    expect(guardHome(client, null)).toEqual({ kind: 'login', removeUser: false }));
  test('a therapist is asked for', () => expect(guardHome(therapist, stored)).toEqual({ kind: 'ask', userId: 1 }));
  test('nobody meets sign-in', () => expect(guardHome(null, null)).toEqual({ kind: 'login', removeUser: false }));
});

describe('where a sign-in leads', () => {
  test.each([
    ['/app/play-area', '/app/play-area'],
    ['/app/welcome?x=1#y', '/app/welcome?x=1#y'],
  ])('%s is followed', (raw, to) => expect(safeReturnUrl(raw)).toBe(to));
  test.each([
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    'data:text/html,x',
    '/\t/evil.example',
    '',
    '/',
    '/user/login',
    '/auth/unauthorized',
    undefined,
    7,
    'app',
  ])('%s leads to the dashboard', (raw) => expect(safeReturnUrl(raw)).toBe('/app/dashboard'));
});
