import { expect, test } from 'vitest';
import { choiceOf, joinOf, layoutFrom } from './videoModel.ts';

test('a way of joining and its choice convert to each other', () => {
  for (const how of ['camera', 'microphone', 'watch'] as const) expect(joinOf(choiceOf(how))).toBe(how);
  expect(choiceOf('watch', { camera: 'c' })).toEqual({ audio: false, video: false, camera: 'c' });
});

test('a stored layout is accepted, the gallery also by its old name, and nothing else', () => {
  expect(['half', 'gallery', 'faces', 'tiles', undefined, 3].map(layoutFrom)).toEqual([
    'half',
    'gallery',
    'gallery',
    null,
    null,
    null,
  ]);
});
