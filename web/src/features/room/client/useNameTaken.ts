/**
 * Tells a client who was let in that somebody with this name, or one that looks like it, was here before
 * (docs/product.md#4.10).
 */
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { tabStore } from '../../../platform/storage.ts';
import type { Told } from '../notices/Toast.tsx';

const TOLD = 'fieldroom_name_told';

/** Shown once for each seat, not with each load of the page. */
export function useNameTaken(clientId: number, nameTaken: boolean, tell: (told: Told) => void): void {
  const { t } = useTranslation('problems');
  useEffect(() => {
    if (nameTaken && firstTime(`${TOLD}_${clientId}`)) tell({ text: t('problem.name_taken'), tone: 'fault' });
  }, [nameTaken, clientId, t, tell]);
}

/** Whether something happens for the first time in this tab; always true if the browser stores nothing. */
function firstTime(key: string): boolean {
  if (tabStore.get(key) !== null) return false;
  tabStore.set(key, '1');
  return true;
}
