/**
 * Hears what is pressed or chosen on a drawn page before its script can answer, and keeps the last of it. In: the root
 * element. Out: the way to stop hearing, which gives the way to do what was wished.
 */
export function hearEarly(root: HTMLElement): () => () => void {
  let wish: { element: HTMLElement; type: string } | null = null;
  const hear = ({ target, type }: Event) => {
    const element = (target as Element).closest<HTMLElement>(type === 'click' ? 'button' : 'select');
    if (element) wish = { element, type };
  };
  const types = ['click', 'change'];
  for (const type of types) root.addEventListener(type, hear);
  return () => {
    for (const type of types) root.removeEventListener(type, hear);
    return () => {
      // What was drawn anew meanwhile may be about something else.
      if (wish?.element.isConnected)
        wish.element.dispatchEvent(new Event(wish.type, { bubbles: true, cancelable: true }));
    };
  };
}
