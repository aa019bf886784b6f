/**
 * The browser's way back closes what lies over a page: a dialog, a panel, a menu, the topmost first
 * (docs/product.md#11.63, docs/decisions/0023-back-closes-by-kept-entries.md). Whatever opens adds an entry to the
 * history. When it is closed in another way, its entry stays. The next thing that opens uses the entry, another page
 * takes its place, and a step back passes over it. So the history moves only when the person moves it. No router hears
 * of these entries.
 */
import { useLayoutEffect, useRef, useState } from 'react';

interface Layer {
  /** Returns false where it stays open. */
  close(): unknown;
  /** It stands for the page itself, and asks instead of closing. */
  asks: boolean;
}

/** What an entry over a page has beside the page's own state. */
interface Marks {
  /** How many entries of the page are beneath; none stands for 0. */
  over?: number;
  /** Which page it is: the address and the state of the entry beneath them all. */
  under?: string;
}

interface Entry {
  href: string;
  state: Marks | null;
}

/** What is open, the topmost last. */
const layers: Layer[] = [];
/** The history that is followed, and the entry at which the page stands. */
let watched: History | undefined;
let here: Entry;
/** What follows the step to the page's own entry. */
let afterStep: (() => void) | null = null;

const entry = (): Entry => ({ href: window.location.href, state: window.history.state as Marks | null });
const depthOf = ({ state }: Entry) => state?.over ?? 0;
const contentOf = ({ href, state }: Entry) => JSON.stringify([href, { ...state, over: undefined, under: undefined }]);
const pageOf = (at: Entry) => at.state?.under ?? contentOf(at);

/** Past the router, to which nothing changes. */
function addEntry(): void {
  const { history } = window;
  const at = entry();
  // The step back onto the present entry must not scroll the page: it was only covered.
  history.scrollRestoration = 'manual';
  History.prototype.pushState.call(history, { ...at.state, over: depthOf(at) + 1, under: pageOf(at) }, '');
  history.scrollRestoration = 'auto';
  here = entry();
}

/** Gives an entry to whatever is open and has none. A browser may refuse one. */
function cover(): void {
  for (let missing = layers.length - depthOf(entry()); missing > 0; missing -= 1) addEntry();
}

/** What the page made of its address and state while something lay over it also holds for the entry beneath. */
function keepContent(from: Entry, to: Entry): void {
  if (contentOf(from) === contentOf(to)) return;
  const { over, under } = to.state ?? {};
  History.prototype.replaceState.call(window.history, { ...from.state, over, under }, '', from.href);
  here = entry();
}

function closeDownTo(depth: number): void {
  // What closes leaves the list.
  const closing = layers.slice(depth);
  for (let layer = closing.pop(); layer; layer = closing.pop()) {
    // Before it asks: whatever follows counts on the entry.
    if (layer.asks) cover();
    if (layer.close() === false) {
      cover();
      return;
    }
  }
}

function onStep(event: Event): void {
  const before = here;
  const now = entry();
  here = now;
  const from = depthOf(before);
  const to = depthOf(now);
  // To another page: the router's, or whoever listens.
  if (from === to || pageOf(before) !== pageOf(now)) return;
  event.stopImmediatePropagation();
  // Browsers scroll as the entry says after they have told of the step.
  setTimeout(() => {
    window.history.scrollRestoration = 'auto';
  });
  if (afterStep) {
    const follow = afterStep;
    afterStep = null;
    follow();
  } else if (to > from) {
    // Nothing opens again: on to the page that may follow.
    if (to > layers.length) window.history.go(1);
  } else {
    keepContent(before, now);
    if (to < layers.length) closeDownTo(to);
    else window.history.go(layers.length - to - 1);
  }
}

/** Begins to follow the history. Called by each document that opens something, as it starts; later calls do nothing. */
export function watchHistory(): void {
  const { history } = window;
  if (watched === history) return;
  watched = history;
  here = entry();
  const push = history.pushState.bind(history);
  const replace = history.replaceState.bind(history);
  history.pushState = (state: unknown, unused, url) => {
    (depthOf(entry()) > 0 ? replace : push)(state, unused, url);
    here = entry();
  };
  history.replaceState = (state: unknown, unused, url) => {
    const { over, under } = entry().state ?? {};
    replace(over ? { ...(state as object | null), over, under } : state, unused, url);
    here = entry();
  };
  // Before the router and all others.
  window.addEventListener('popstate', onStep, { capture: true });
  // After a step back, and on another page, a new touch gives an entry to what is still open.
  window.addEventListener('pointerdown', cover, { capture: true });
  window.addEventListener('keydown', cover, { capture: true });
}

function openLayer(layer: Layer): () => void {
  watchHistory();
  // The page's own question lies beneath whatever is open by then.
  if (layer.asks) layers.unshift(layer);
  else layers.push(layer);
  // Browsers pass over the entries of a page that nobody has touched.
  if (navigator.userActivation?.hasBeenActive !== false) cover();
  return () => {
    layers.splice(layers.indexOf(layer), 1);
  };
}

/**
 * A step back closes what is open, instead of leaving the page. `close` returns false where it must stay open; whatever
 * else it returns does not count.
 */
export function useBackCloses(opened: boolean, close: () => unknown): void {
  const latest = useRef(close);
  latest.current = close;
  // Before it is seen: from then on somebody may step back.
  useLayoutEffect(() => (opened ? openLayer({ close: () => latest.current(), asks: false }) : undefined), [opened]);
}

/** For a menu or popover of the kit that needs no state of its own: whether it is open. A step back closes it. */
export function useOpened(): { opened: boolean; onChange(opened: boolean): void } {
  const [opened, onChange] = useState(false);
  useBackCloses(opened, () => onChange(false));
  return { opened, onChange };
}

/**
 * A step back asks before the page is left, once nothing lies over it. Takes what opens the question, the same function
 * at each call, and whether there is something to ask.
 */
export function useBackAsks(ask: () => void, asks = true): void {
  useLayoutEffect(() => (asks ? openLayer({ close: ask, asks: true }) : undefined), [ask, asks]);
}

/** Leaves for the page before, or for the start where there is none. Takes how many pages to go back. */
export function leaveBack(pages = 1): void {
  const steps = depthOf(entry()) + pages;
  if (window.history.length > steps) window.history.go(-steps);
  else window.location.assign('/');
}

/** Goes to another document in place of this page, so that the way back from there does not lead here. */
export function replacePage(address: string): void {
  const steps = depthOf(entry());
  if (steps === 0) {
    window.location.replace(address);
    return;
  }
  // Nobody is asked at this step.
  afterStep = () => window.location.replace(address);
  window.history.go(-steps);
}
