/** Frames of the field, and drags and pointers of others without further messages. */
import { HOLD_MS } from '@fieldroom/contract/field';
import { act, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { fakeFrames, frame, framesDue, openField, passTime } from './FieldView.testing.tsx';

fakeFrames();

test('a drag and a pointer without messages for HOLD_MS disappear; others stay', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { handle, place } = openField();
    const wait = (ms: number) => {
      passTime(ms);
      act(() => void vi.advanceTimersByTime(ms));
      for (let count = 0; count < 2; count += 1) frame(0);
    };
    act(() => handle.moveLive(2, { x: 400, y: 300 }, 'Hanna'));
    act(() => handle.setPointer(7, 'Ben', { x: 10, y: 20 }));
    wait(HOLD_MS / 2);
    expect(place(2)).toContain('translate(400 300)');
    act(() => handle.setPointer(7, 'Ben', { x: 30, y: 20 }));
    wait(HOLD_MS / 2 + 1);
    expect(screen.queryByText('Hanna')).toBeNull();
    wait(HOLD_MS / 4);
    expect(place(2)).toContain('translate(200 200)');
    expect(screen.getByText('Ben')).toBeTruthy();
    wait(HOLD_MS / 4 + 1);
    expect(screen.queryByText('Ben')).toBeNull();
  } finally {
    vi.useRealTimers();
  }
});

test('frames are requested while something moves, and none once everything is still', () => {
  const { handle } = openField();
  const glides = (begin: () => void) => {
    for (let count = 0; count < 4; count += 1) frame();
    expect(framesDue()).toBe(0);
    act(begin);
    frame(1);
    expect(framesDue()).toBe(1);
  };
  glides(() => handle.zoomIn());
  glides(() => handle.moveLive(2, { x: 400, y: 300 }, 'Hanna'));
  handle.setPointer(7, 'Ben', { x: 10, y: 20 });
  glides(() => handle.setPointer(7, 'Ben', { x: 300, y: 20 }));
  for (let count = 0; count < 4; count += 1) frame();
  expect(framesDue()).toBe(0);
});
