/**
 * Tells a client who was let in that somebody was here before under this name, or one that looks like it
 * (docs/product.md#4.10).
 */
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { tabStore } from '../../../platform/storage.ts';
import type { Told } from '../notices/Toast.tsx';

const TOLD = 'fieldroom_name_told';

/** Says it once a seat, not with each load of the page. */
export function useNameTaken(clientId: number, nameTaken: boolean, tell: (told: Told) => void): void {
  const { t } = useTranslation('problems');
  useEffect(() => {
    if (nameTaken && firstTime(`${TOLD}_${clientId}`)) tell({ text: t('problem.name_taken'), tone: 'fault' });
  }, [nameTaken, clientId, t, tell]);
}

/** Whether something happens for the first time in this tab; always so where the browser keeps nothing. */
function firstTime(key: string): boolean {
  if (tabStore.get(key) !== null) return false;
  tabStore.set(key, '1');
  return true;
}
