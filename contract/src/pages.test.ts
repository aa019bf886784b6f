/** Which document answers which path. */
import { describe, expect, test } from 'vitest';
import { pageAt } from './pages.ts';

describe('the document of a path', () => {
  test.each([
    ['/', 'app', true],
    ['/user/login', 'app', false],
    ['/user', 'app', false],
    ['/user/joining', 'app', false],
    ['/user/join', 'join', false],
    ['/user/join/anna', 'join', false],
    ['/user/join/anna/', 'join', false],
    ['/user/code', 'join', false],
    ['/user/waiting', 'join', false],
    ['/user/bye', 'join', false],
    ['/event', 'app', false],
    ['/event/', 'app', false],
    ['/event/anna', 'event', true],
    ['/event/anna/', 'event', true],
    ['/event/anna/5', 'event', true],
    ['/event//5', 'app', false],
    ['/event/anna/5/6', 'app', false],
    ['/event/confirm', 'event', false],
    ['/event/confirm/', 'event', false],
    ['/event/booking', 'event', false],
    ['/event/confirmation-abc', 'event', true],
    ['/app/play-area', 'room', false],
    ['/app/play-area/', 'room', false],
    ['/app/play-area-view', 'room', false],
    ['/app/play-area-view/9', 'app', false],
    ['/app/dashboard', 'app', false],
  ])('%s is answered by %s, listed: %s', (path, document, listed) => {
    expect(pageAt(path)).toMatchObject({ document, listed });
  });
});
