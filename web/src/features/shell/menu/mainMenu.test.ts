import { describe, expect, test } from 'vitest';
import { crumbsOf, isParent, linksOf, menuFootFor, menuFor, personMenuFor, selectedEntry } from './mainMenu.ts';

describe('the entries', () => {
  test('11.5 ids and targets', () =>
    expect(Object.fromEntries(linksOf(menuFor(['ROLE_THERAPIST'])).map(({ id, target }) => [id, target]))).toEqual({
      dashboard: '/app/dashboard',
      'play-area': '/app/play-area',
      faq: '/app/welcome',
      features: '/app/features',
      support: '/app/support',
      events: '/app/manage-events-client',
      programmes: '/app/program',
      sessions: '/app/history',
      profile: '/app/profile',
      template: '/app/template',
      api: '/api/docs',
    }));
  test('11.5 admins also have the operator’s pages, clients have no menu', () => {
    const operation = menuFor(['ROLE_THERAPIST', 'ROLE_ADMIN']).find(({ id }) => id === 'operation');
    expect(operation && linksOf([operation]).map(({ target }) => target)).toEqual([
      '/app/user-system-usage',
      '/app/cron-job-conf',
      '/app/browser-logs',
      '/app/bug-reports',
    ]);
    expect(menuFor(['ROLE_THERAPIST']).some(({ id }) => id === 'operation')).toBe(false);
    expect(menuFor(['ROLE_CLIENT'])).toEqual([]);
  });
  test('15.5 an operator without a practice has no entries about one', () =>
    expect(linksOf(menuFor(['ROLE_ADMIN'])).map(({ id }) => id)).toEqual([
      'profile',
      'faq',
      'features',
      'support',
      'api',
      'usage',
      'cron-job',
      'browser-logs',
      'bug-reports',
    ]));
  test('the package is at the foot, only for therapists', () => {
    expect(menuFootFor(['ROLE_THERAPIST'])?.target).toBe('/app/subscription/professional-package');
    expect(menuFootFor(['ROLE_CLIENT'])).toBe(null);
  });
});

describe('the user menu', () => {
  const targets = (...authorities: string[]) => personMenuFor(authorities).map(({ target }) => target);
  test('11.76 therapists find account, features, history and support, each once', () =>
    expect(personMenuFor(['ROLE_THERAPIST']).map(({ label, target }) => [label, target])).toEqual([
      ['account', '/app/profile'],
      ['features', '/app/features'],
      ['own-history', '/app/history'],
      ['support', '/app/support'],
    ]));
  test('11.76 an operator without a practice has no history, and a client has no entries', () => {
    expect(targets('ROLE_ADMIN')).toEqual(['/app/profile', '/app/features', '/app/support']);
    expect(targets('ROLE_CLIENT')).toEqual([]);
  });
});

describe('the entry of a page', () => {
  const entries = menuFor(['ROLE_THERAPIST', 'ROLE_ADMIN']);
  test.each([
    ['/app/dashboard', 'dashboard'],
    ['/app/Profile', 'profile'],
    ['/app/manage-events-client/12?x=1', 'events'],
    ['/app/welcome', 'help'],
    ['/app/cron-job-conf', 'operation'],
    ['/app/browser-logs', 'operation'],
    ['/app/bug-reports', 'operation'],
  ])('11.35 %s belongs to %s', (path, id) => expect(selectedEntry(entries, path)?.id).toBe(id));
  test.each(['/', '/app', '/app/nothing', '/elsewhere/dashboards'])('11.35 %s belongs to none', (path) =>
    expect(selectedEntry(entries, path)).toBe(null),
  );
  test('11.35 at most two levels', () => {
    for (const inner of linksOf(entries)) expect(isParent(inner)).toBe(false);
  });
});

test('11.5 the breadcrumb has no query and no trailing parameters', () => {
  expect(crumbsOf('/app/Program/12/34?x=1').map(({ key }) => key)).toEqual(['app', 'program']);
  expect(crumbsOf('/app/dashboard').map(({ to }) => to)).toEqual(['/app', '/app/dashboard']);
});
