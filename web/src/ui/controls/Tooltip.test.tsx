import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { OPEN_DELAY_MS, placeOf, Tooltip } from './Tooltip.tsx';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const words = () => screen.queryByRole('tooltip')?.textContent ?? null;
const rest = () => act(() => vi.advanceTimersByTimeAsync(OPEN_DELAY_MS));
function draw(disabled = false) {
  const page = (isDisabled: boolean) => (
    <Tooltip label="Notices" disabled={isDisabled}>
      <button type="button">Bell</button>
    </Tooltip>
  );
  const { rerender } = render(page(disabled));
  return {
    button: screen.getByText('Bell'),
    disable: () => rerender(page(true)),
    enable: () => rerender(page(false)),
  };
}

describe('the words of an icon', () => {
  test('come when a mouse rests on it, and go with the mouse', async () => {
    const { button } = draw();
    fireEvent.pointerEnter(button, { pointerType: 'mouse' });
    expect(words()).toBeNull();
    await rest();
    expect(words()).toBe('Notices');
    fireEvent.pointerLeave(button, { pointerType: 'mouse' });
    expect(words()).toBeNull();
  });

  test('do not come after a mouse that only passed, nor by a finger', async () => {
    const { button } = draw();
    fireEvent.pointerEnter(button, { pointerType: 'mouse' });
    fireEvent.pointerLeave(button, { pointerType: 'mouse' });
    await rest();
    expect(words()).toBeNull();
    fireEvent.pointerEnter(button, { pointerType: 'touch' });
    await rest();
    expect(words()).toBeNull();
  });

  test('come with the focus of the keyboard; Escape and a press put them away', () => {
    const { button } = draw();
    act(() => button.focus());
    expect(words()).toBe('Notices');
    fireEvent.keyDown(button, { key: 'Escape' });
    expect(words()).toBeNull();
    act(() => button.blur());
    act(() => button.focus());
    fireEvent.pointerDown(button);
    expect(words()).toBeNull();
  });

  test('are not shown where the word stands already, and the button stays the same one', () => {
    const { button, disable, enable } = draw();
    act(() => button.focus());
    disable();
    expect(words()).toBeNull();
    expect(screen.getByText('Bell')).toBe(button);
    expect(document.activeElement).toBe(button);
    enable();
    expect(words()).toBeNull();
  });

  test('move with the button while something scrolls, also in a box that is moved itself', () => {
    const { button } = draw();
    const boxes = { button: new DOMRect(100, 100, 44, 44), corner: new DOMRect(30, 20, 80, 30) };
    vi.spyOn(button, 'getBoundingClientRect').mockImplementation(() => boxes.button);
    vi.spyOn(HTMLSpanElement.prototype, 'getBoundingClientRect').mockImplementation(() => boxes.corner);
    act(() => button.focus());
    const { style } = screen.getByRole('tooltip');
    expect([style.left, style.top]).toEqual(['52px', '129px']);
    boxes.button = new DOMRect(100, 60, 44, 44);
    fireEvent.scroll(window);
    expect([style.left, style.top]).toEqual(['52px', '89px']);
  });
});

describe('where they stand', () => {
  const element = { left: 100, top: 100, right: 144, bottom: 144, width: 44, height: 44 };
  const tip = { width: 80, height: 30 };
  test('beside the element, in its middle', () => {
    expect(placeOf(element, tip, 'bottom')).toEqual({ left: 82, top: 149 });
    expect(placeOf(element, tip, 'right')).toEqual({ left: 149, top: 107 });
    expect(placeOf(element, tip, 'left')).toEqual({ left: 15, top: 107 });
  });
  test('within the window', () => {
    const right = window.innerWidth;
    const atEdge = { ...element, left: right - 44, right };
    expect(placeOf(atEdge, tip, 'bottom').left).toBe(right - 85);
    expect(placeOf({ ...element, left: 0, right: 44 }, tip, 'bottom').left).toBe(5);
  });
});
