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

describe('the tooltip of an icon', () => {
  test('appears when a mouse rests on it, and disappears with the mouse', async () => {
    const { button } = draw();
    fireEvent.pointerEnter(button, { pointerType: 'mouse' });
    expect(words()).toBeNull();
    await rest();
    expect(words()).toBe('Notices');
    fireEvent.pointerLeave(button, { pointerType: 'mouse' });
    expect(words()).toBeNull();
  });

  test('does not appear after a mouse that only passed, nor for a finger', async () => {
    const { button } = draw();
    fireEvent.pointerEnter(button, { pointerType: 'mouse' });
    fireEvent.pointerLeave(button, { pointerType: 'mouse' });
    await rest();
    expect(words()).toBeNull();
    fireEvent.pointerEnter(button, { pointerType: 'touch' });
    await rest();
    expect(words()).toBeNull();
  });

  test('appears with keyboard focus; Escape and a press close it', () => {
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

  test('is not shown if the word is visible already, and the button stays the same element', () => {
    const { button, disable, enable } = draw();
    act(() => button.focus());
    disable();
    expect(words()).toBeNull();
    expect(screen.getByText('Bell')).toBe(button);
    expect(document.activeElement).toBe(button);
    enable();
    expect(words()).toBeNull();
  });

  test('moves with the button during scrolling, also in a box that itself moves', () => {
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

describe("the tooltip's position", () => {
  const element = { left: 100, top: 100, right: 144, bottom: 144, width: 44, height: 44 };
  const tip = { width: 80, height: 30 };
  test('is beside the element, at its middle', () => {
    expect(placeOf(element, tip, 'bottom')).toEqual({ left: 82, top: 149 });
    expect(placeOf(element, tip, 'right')).toEqual({ left: 149, top: 107 });
    expect(placeOf(element, tip, 'left')).toEqual({ left: 15, top: 107 });
  });
  test('stays within the window', () => {
    const right = window.innerWidth;
    const atEdge = { ...element, left: right - 44, right };
    expect(placeOf(atEdge, tip, 'bottom').left).toBe(right - 85);
    expect(placeOf({ ...element, left: 0, right: 44 }, tip, 'bottom').left).toBe(5);
  });
});
