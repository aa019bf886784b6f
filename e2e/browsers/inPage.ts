/** Functions that drivers run in the page, as text: how elements are found there, and what a click would reach. */

/**
 * Finds the elements of a target, which is given as JSON. The protocols' own search by accessible name computes the
 * names of the whole page each time, which takes seconds.
 */
export const FIND = String.raw`(what) => {
  const { role, name, text, css } = JSON.parse(what);
  if (css !== undefined) return [...document.querySelectorAll(css)];
  const words = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.data;
    if (node.nodeType !== Node.ELEMENT_NODE || node.getAttribute('aria-hidden') === 'true') return '';
    const inside = [...node.childNodes].map(words).join('');
    return getComputedStyle(node).display.startsWith('inline') ? inside : ' ' + inside + ' ';
  };
  const trimmed = (value) => value.replace(/\s+/g, ' ').trim();
  const named = (element) => {
    const ids = element.getAttribute('aria-labelledby')?.split(' ') ?? [];
    const by = ids.map((id) => document.getElementById(id)).filter(Boolean);
    if (by.length > 0) return trimmed(by.map(words).join(' '));
    const label = element.getAttribute('aria-label');
    if (label !== null) return trimmed(label);
    return trimmed(element.labels?.length ? [...element.labels].map(words).join(' ') : words(element));
  };
  const shown = (element) =>
    element.checkVisibility({ visibilityProperty: true }) && !element.closest('[aria-hidden="true"], [inert]');
  if (text !== undefined) {
    const all = [...document.querySelectorAll('body *')];
    return all.filter((element) => trimmed(element.textContent) === text && shown(element)).slice(-1);
  }
  const implicit = {
    button: 'button',
    link: 'a[href]',
    textbox: 'input:not([type]), input[type=text], input[type=email], textarea',
    dialog: 'dialog',
    heading: 'h1, h2, h3',
    checkbox: 'input[type=checkbox]',
    radio: 'input[type=radio]',
    combobox: 'select',
  }[role];
  const matches = (element) => (role === 'switch' ? named(element).startsWith(name) : named(element) === name);
  return [...document.querySelectorAll('[role="' + role + '"]' + (implicit ? ', ' + implicit : ''))].filter(
    (element) => (element.getAttribute('role') ?? role) === role && matches(element) && shown(element),
  );
}`;

/**
 * Scrolls an element into view. Returns what a click in its middle would reach: the element itself or, if that has no
 * box, its label; null while it is disabled, moves, or is covered by something.
 */
export const FIND_REACHABLE = String.raw`async (element) => {
  if (element.matches(':disabled, [aria-disabled="true"]')) return null;
  const sized = (one) => Math.min(one.offsetWidth ?? 2, one.offsetHeight ?? 2) > 1;
  const end = sized(element) ? element : [...(element.labels ?? [])].find(sized);
  if (!end) return null;
  end.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  const before = end.getBoundingClientRect();
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const box = end.getBoundingClientRect();
  const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  const stands = box.x === before.x && box.y === before.y;
  return stands && top !== null && (end.contains(top) || top.contains(end)) ? end : null;
}`;
