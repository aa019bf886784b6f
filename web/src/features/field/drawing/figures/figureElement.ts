/** The elements of figures in the page: which figure one belongs to, and which belongs to a figure. */

/** The id that an element, or the nearest one around it, carries as `data-figure`, `data-turn` or `data-outside`. */
export function idIn(target: EventTarget | null, attribute: 'figure' | 'turn' | 'outside'): number | null {
  if (!(target instanceof Element)) return null;
  const value = target.closest<SVGElement>(`[data-${attribute}]`)?.dataset[attribute];
  return value === undefined ? null : Number(value);
}

/** The body of a figure in the field's element; null where it is not drawn. */
export const elementOf = (root: HTMLElement | null, id: number) =>
  root?.querySelector<SVGGElement>(`[data-figure="${id}"]`) ?? null;
