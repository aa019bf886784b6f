import { useState } from 'react';

export interface FocusBack<Key> {
  /** The next element that is drawn for this key gets the focus. */
  expect(key?: Key): void;
  /** For a button that is replaced by what it opens. Takes the button's key if there are several. */
  ref(key?: Key): (element: HTMLElement | null) => void;
}

/**
 * Gives the focus back to a button that a form or a question replaced, once the button is there again. If there are
 * several, such as one in each row, they have keys.
 */
export function useFocusBack<Key = undefined>(): FocusBack<Key> {
  const [focusBack] = useState(() => {
    let awaited: { key: Key | undefined } | null = null;
    return {
      expect(key?: Key) {
        awaited = { key };
      },
      ref: (key?: Key) => (element: HTMLElement | null) => {
        if (element === null || awaited === null || awaited.key !== key) return;
        awaited = null;
        element.focus();
      },
    };
  });
  return focusBack;
}
