/** The heard and the talking people, by the levels of generated packets. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createActiveSpeakers, type ActiveSpeaker } from './active-speakers.ts';

const SPEC = { loudest: 2, talkingLevel: 50, talkingPackets: 100 };
const LOUD = 20;
const QUIET = 90;
/** Each sends one packet of that level (−dBov) every 20 ms. Returns the time afterwards. */
function speak(voices: readonly [ActiveSpeaker, number][], ms: number, fromMs: number): number {
  for (let nowMs = fromMs; nowMs < fromMs + ms; nowMs += 20)
    for (const [voice, level] of voices) voice.packet(level, 80, nowMs);
  return fromMs + ms;
}
const silent = () => {};

test('everybody is heard while places are free', () => {
  const voices = createActiveSpeakers(SPEC);
  const [a, b] = [voices.join(false, silent), voices.join(false, silent)];
  speak(
    [
      [a, QUIET],
      [b, LOUD],
    ],
    20,
    0,
  );
  expect([a.heard(), b.heard()]).toEqual([true, true]);
});

test('a louder person replaces the quietest, soon enough for the first word', () => {
  const voices = createActiveSpeakers(SPEC);
  const [a, b, c] = [voices.join(false, silent), voices.join(false, silent), voices.join(false, silent)];
  const nowMs = speak(
    [
      [a, LOUD],
      [b, QUIET],
    ],
    2000,
    0,
  );
  speak(
    [
      [a, LOUD],
      [b, QUIET],
      [c, LOUD],
    ],
    80,
    nowMs,
  );
  expect([a.heard(), b.heard(), c.heard()]).toEqual([true, false, true]);
});

test('a little louder is not enough, and a new place is kept for a while', () => {
  const voices = createActiveSpeakers({ ...SPEC, loudest: 1 });
  const [a, b, c] = [voices.join(false, silent), voices.join(false, silent), voices.join(false, silent)];
  let nowMs = speak([[a, 60]], 2000, 0);
  nowMs = speak(
    [
      [a, 60],
      [b, 55],
    ],
    3000,
    nowMs,
  );
  expect(a.heard()).toBe(true);
  nowMs = speak(
    [
      [a, 60],
      [b, 30],
    ],
    200,
    nowMs,
  );
  expect(b.heard()).toBe(true);
  speak(
    [
      [a, 60],
      [b, 30],
      [c, 0],
    ],
    1000,
    nowMs,
  );
  expect([b.heard(), c.heard()]).toEqual([true, false]);
  speak(
    [
      [a, 60],
      [b, 30],
      [c, 0],
    ],
    1000,
    nowMs + 1000,
  );
  expect([b.heard(), c.heard()]).toEqual([false, true]);
});

test('the therapist is always heard and takes no client’s place', () => {
  const voices = createActiveSpeakers({ ...SPEC, loudest: 1 });
  const therapist = voices.join(true, silent);
  const [a, b] = [voices.join(false, silent), voices.join(false, silent)];
  // All places are taken when the therapist begins.
  const nowMs = speak(
    [
      [a, LOUD],
      [b, LOUD],
    ],
    3000,
    0,
  );
  speak(
    [
      [therapist, QUIET],
      [a, LOUD],
      [b, LOUD],
    ],
    100,
    nowMs,
  );
  expect([therapist.heard(), a.heard(), b.heard()]).toEqual([true, true, false]);
});

test('never more speakers than places, and no empty place while somebody speaks', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.tuple(fc.nat(6), fc.nat(127), fc.nat(60)), { maxLength: 300 }),
      (loudest, packets) => {
        const voices = createActiveSpeakers({ ...SPEC, loudest });
        const all = Array.from({ length: 7 }, () => voices.join(false, silent));
        const spoke = new Set<number>();
        let nowMs = 0;
        for (const [who, level, ms] of packets) {
          nowMs += ms;
          all[who]!.packet(level, 80, nowMs);
          spoke.add(who);
          voices.tick(nowMs);
          expect(all.filter((voice) => voice.heard()).length).toBe(Math.min(loudest, spoke.size));
        }
      },
    ),
  );
});

test('a person who is muted or leaves gives up the place', () => {
  const voices = createActiveSpeakers({ ...SPEC, loudest: 1 });
  const told: boolean[] = [];
  const [a, b] = [voices.join(false, (talking) => told.push(talking)), voices.join(false, silent)];
  let nowMs = speak(
    [
      [a, LOUD],
      [b, LOUD],
    ],
    2000,
    0,
  );
  expect([a.heard(), b.heard()]).toEqual([true, false]);
  a.silence();
  nowMs = speak([[b, LOUD]], 20, nowMs);
  expect([a.heard(), b.heard()]).toEqual([false, true]);
  expect(told).toEqual([true, false]);
  b.leave();
  speak([[a, LOUD]], 20, nowMs);
  expect(a.heard()).toBe(true);
});

test('silence that is not sent counts as quiet', () => {
  const voices = createActiveSpeakers({ ...SPEC, loudest: 1 });
  const [a, b] = [voices.join(false, silent), voices.join(false, silent)];
  let nowMs = speak([[a, 40]], 2000, 0);
  for (const end = nowMs + 1000; nowMs < end; nowMs += 20) voices.tick(nowMs);
  speak([[b, 60]], 100, nowMs);
  expect([a.heard(), b.heard()]).toEqual([false, true]);
});

test('without levels, packet sizes distinguish speech from silence', () => {
  const voices = createActiveSpeakers({ ...SPEC, loudest: 1 });
  const [a, b] = [voices.join(false, silent), voices.join(false, silent)];
  for (let nowMs = 0; nowMs < 3000; nowMs += 20) {
    a.packet(-1, 3, nowMs);
    b.packet(-1, 80, nowMs);
  }
  expect([a.heard(), b.heard()]).toEqual([false, true]);
});

test('talking is decided at each hundredth packet by the plain average, as Janus does', () => {
  const told: [boolean, number][] = [];
  const voice = createActiveSpeakers(SPEC).join(false, (talking, average) => told.push([talking, average]));
  // 99 packets decide nothing.
  let nowMs = speak([[voice, 40]], 99 * 20, 0);
  expect(told).toEqual([]);
  nowMs = speak([[voice, 40]], 20, nowMs);
  expect(told).toEqual([[true, 40]]);
  // An average of exactly 50 is not below it.
  nowMs = speak([[voice, 40]], 50 * 20, nowMs);
  nowMs = speak([[voice, 60]], 50 * 20, nowMs);
  expect(told.at(-1)).toEqual([false, 50]);
  expect(told).toHaveLength(2);
  expect(voice.talking()).toBe(false);
});

test('the speech flag is not part of the level; packets without a level decide nothing', () => {
  const told: boolean[] = [];
  const voice = createActiveSpeakers(SPEC).join(false, (talking) => told.push(talking));
  for (let number = 0; number < 100; number++) voice.packet(0x80 | 30, 80, number * 20);
  expect(told).toEqual([true]);
  for (let number = 0; number < 500; number++) voice.packet(-1, 80, 2000 + number * 20);
  expect(told).toEqual([true]);
});

test('a person who talked and no longer sends has stopped talking', () => {
  const told: boolean[] = [];
  const voices = createActiveSpeakers(SPEC);
  const voice = voices.join(false, (talking) => told.push(talking));
  const nowMs = speak([[voice, LOUD]], 2000, 0);
  voices.tick(nowMs + 1900);
  expect(told).toEqual([true]);
  voices.tick(nowMs + 2000);
  expect(told).toEqual([true, false]);
});
