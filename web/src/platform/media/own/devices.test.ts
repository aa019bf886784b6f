import { expect, test } from 'vitest';
import { deviceFault, type VideoSize, videoSize } from './devices.ts';

test.each([
  ['NotAllowedError', 'camera', 'camera_refused'],
  ['NotAllowedError', 'microphone', 'microphone_refused'],
  ['NotFoundError', 'camera', 'no_camera'],
  ['OverconstrainedError', 'microphone', 'no_microphone'],
  ['NotReadableError', 'camera', 'device_busy'],
  ['SecurityError', 'camera', 'insecure_page'],
  ['Strange', 'camera', 'other'],
] as const)('%s for the %s is reported as %s', (name, kind, fault) =>
  expect(deviceFault(new DOMException('', name), kind)).toBe(fault),
);

test('a client’s own video is gallery-sized from eight others down to five; the therapist’s never is', () => {
  const plain = { lowData: false, highQuality: false, as: 'client' as const };
  let before: VideoSize = 'modest';
  const sizes = [0, 7, 8, 6, 24, 6, 5, 7].map((others) => (before = videoSize({ ...plain, others, before })));
  expect(sizes).toEqual(['modest', 'modest', 'gallery', 'gallery', 'gallery', 'gallery', 'modest', 'modest']);
  expect(videoSize({ ...plain, as: 'therapist', others: 24, before: 'modest' })).toBe('modest');
  expect(videoSize({ ...plain, highQuality: true, others: 24, before: 'gallery' })).toBe('large');
  expect(videoSize({ ...plain, highQuality: true, lowData: true, others: 24, before: 'large' })).toBe('small');
});
