/** What is pressed or chosen on a page that the server drew, before the page's script can react. */

interface EarlyClick {
  element: HTMLElement;
  type: string;
}

declare global {
  interface Window {
    /** Of theme.js, which records from the first moment on. Ends that, and returns the last. */
    takeEarlyClick?(): EarlyClick | null;
  }
}

/**
 * Records what is pressed or chosen on a server-rendered page before its script can react, and keeps the last of it.
 * Takes the root element. Returns a function that stops recording; that one returns a function that replays it.
 */
export function recordEarlyClicks(root: HTMLElement): () => () => void {
  let last = window.takeEarlyClick?.() ?? null;
  const record = ({ target, type }: Event) => {
    const element = (target as Element).closest<HTMLElement>(type === 'click' ? 'button' : 'select');
    if (element) last = { element, type };
  };
  const types = ['click', 'change'];
  for (const type of types) root.addEventListener(type, record);
  return () => {
    for (const type of types) root.removeEventListener(type, record);
    return () => {
      // What was rendered again meanwhile may be about something else.
      if (!last?.element.isConnected) return;
      // A press also sends its form.
      if (last.type === 'click') last.element.click();
      else last.element.dispatchEvent(new Event(last.type, { bubbles: true, cancelable: true }));
    };
  };
}
