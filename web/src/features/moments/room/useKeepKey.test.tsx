/** The key that keeps the field (docs/product.md#6.10): K on the field, and nowhere else. */
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { useKeepKey } from './useKeepKey.ts';

afterEach(cleanup);

/**
 * All but one of its parts are inside the field, where K keeps it: so only the part itself can prevent K from keeping
 * it.
 */
function show() {
  const store = { keep: vi.fn<() => void>() };
  function Room() {
    useKeepKey(store.keep);
    return (
      <>
        <main data-room="field">
          <button type="button">Mother</button>
          <input aria-label="Name" />
          <textarea aria-label="Message" />
          <div role="dialog">
            <button type="button">Yes</button>
          </div>
        </main>
        <button type="button">Leave</button>
      </>
    );
  }
  render(<Room />);
  const press = (element: HTMLElement, more: KeyboardEventInit = {}) => {
    element.focus();
    fireEvent.keyDown(element, { key: 'k', ...more });
  };
  return { ...store, press };
}
const button = (name: string) => screen.getByRole('button', { name });

test('keeps the field, with a lower-case or capital letter, once for each press', () => {
  const { keep, press } = show();
  press(button('Mother'));
  press(button('Mother'), { key: 'K' });
  press(button('Mother'), { repeat: true });
  expect(keep).toHaveBeenCalledTimes(2);
});

test('does nothing in a text field, in a dialog, elsewhere in the room or as a part of another shortcut', () => {
  const { keep, press } = show();
  press(screen.getByLabelText('Name'));
  press(screen.getByLabelText('Message'));
  press(button('Yes'));
  press(button('Leave'));
  press(button('Mother'), { ctrlKey: true });
  press(button('Mother'), { metaKey: true });
  expect(keep).not.toHaveBeenCalled();
});
