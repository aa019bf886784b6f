/**
 * Observers' words over the field: what people have just said, and where a client without a role says theirs. Mounted
 * in the room's area, because the field itself is only a small preview in the gallery.
 */
import type { Person } from '@fieldroom/contract/clients';
import { lazyPart, useLazyPart } from '../../ui/lazy/lazyPart.ts';
import { loadWords } from '../../platform/i18n/app.ts';
import { useObserverWordsPart } from './useObserverWords.ts';

const panel = lazyPart(async () => {
  const [{ WordsPanel }] = await Promise.all([import('./panel/WordsPanel.tsx'), loadWords(['observerWords'])]);
  return { WordsPanel };
});

export interface ObserverWordsProps {
  people: readonly Pick<Person, 'id' | 'name'>[];
  /** The client at this screen; null for the therapist. */
  me: Pick<Person, 'roles'> | null;
  therapistName: string;
  /** Nothing can be said now: the session has ended or the therapist is away. */
  still: boolean;
  /** Names keep clear of an element over the field until the returned function is called. A stable function. */
  keepClear(element: Element): (() => void) | undefined;
  /** A view of the figures makes room for it, too. A stable function. */
  fitBeside(element: Element): (() => void) | undefined;
}

/** Draws nothing without an invitation (docs/product.md#6.30); its code is fetched with the first one. */
export function ObserverWords(props: ObserverWordsProps) {
  const invited = useObserverWordsPart((model) => model.invited);
  const part = useLazyPart(panel, invited);
  return invited && part && <part.WordsPanel {...props} />;
}
