/**
 * The strip of moments while it is open, and elsewhere in the room the buttons that keep the field and open the strip.
 */
import { IconBookmarkPlus, IconBookmarks } from '@tabler/icons-react';
import { useCallback, useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { lazyPart, useLazyPart } from '../../../ui/lazy/lazyPart.ts';
import { useStorePart } from '../../../platform/useStorePart.ts';
import type { MenuParts } from '../../../ui/lazy/LazyMenu.tsx';
import { type FieldGround, type FieldStore, useFieldStore } from '../../field/index.ts';
import type { LatestMoments } from '../latestMoments.ts';
import { type MomentsStore, momentsStoreOf } from './momentsStore.ts';
import { useKeepKey } from './useKeepKey.ts';
import { type Told, useKeptMoments } from './useKeptMoments.ts';
import parts from '../../../ui/roomParts.module.css';

export interface RoomMomentsProps {
  latest: LatestMoments;
  tell(told: Told): void;
  /** The place of the buttons. null before it is drawn, and on a phone, which has them in its menu. */
  place: HTMLElement | null;
  field: FieldStore;
  ground: FieldGround | null;
}

const momentsStrip = lazyPart(() => import('../strip/MomentsStrip.tsx'));
/** Fetches the strip at the first pointer movement. */
const fetchStrip = () => void momentsStrip.load().catch(() => undefined);

const isKnown = (model: { value: unknown }) => model.value !== null;

/** The focus is in the strip when it closes: it returns to the button that opens the strip. */
function useFocusBack(open: boolean) {
  const wasOpen = useRef(false);
  useEffect(() => {
    const focusLost = document.activeElement === null || document.activeElement === document.body;
    if (wasOpen.current && !open && focusLost)
      document.querySelector<HTMLElement>('[data-opens="moments"], [data-room="more"]')?.focus();
    wasOpen.current = open;
  }, [open]);
}

/** Returns a function that keeps the field, including the pending steps by key. */
function useKeep(store: MomentsStore): () => void {
  const field = useFieldStore();
  return useCallback(() => {
    field.storeSteps();
    store.keep();
  }, [field, store]);
}

/**
 * Handles the key K (docs/product.md#6.10) and reports the result of each press. The strip's code is fetched with its
 * first opening, or at the first pointer movement.
 */
export function RoomMoments({ latest, tell, place, field, ground }: RoomMomentsProps) {
  const store = momentsStoreOf(latest);
  const open = useStorePart(store, (model) => model.open);
  useKeepKey(useKeep(store));
  useKeptMoments(store, tell);
  useFocusBack(open);
  const strip = useLazyPart(momentsStrip, open, () => store.setOpen(false));
  return (
    <>
      {open && strip ? <strip.MomentsStrip store={store} field={field} ground={ground} tell={tell} /> : null}
      {place ? createPortal(<Buttons store={store} open={open} />, place) : null}
    </>
  );
}

function Buttons({ store, open }: { store: MomentsStore; open: boolean }) {
  const { t } = useTranslation('moments');
  const known = useStorePart(store, isKnown);
  const keep = useKeep(store);
  return (
    <>
      <button
        type="button"
        className={parts.control}
        aria-keyshortcuts="k"
        data-hint={t('keep.hint')}
        disabled={!known}
        onClick={keep}
      >
        <IconBookmarkPlus size={22} stroke={1.75} aria-hidden />
        {t('keep.button')}
      </button>
      <button
        type="button"
        className={parts.control}
        data-opens="moments"
        aria-expanded={open}
        disabled={!known}
        onPointerEnter={fetchStrip}
        onFocus={fetchStrip}
        onClick={() => store.setOpen(!open)}
      >
        <IconBookmarks size={22} stroke={1.75} aria-hidden />
        {t('heading')}
      </button>
    </>
  );
}

/** The same two in a phone's menu “More”. */
export function MomentItems({ menu: Menu, latest }: { menu: MenuParts; latest: LatestMoments }) {
  const { t } = useTranslation('moments');
  const store = momentsStoreOf(latest);
  const known = useStorePart(store, isKnown);
  const keep = useKeep(store);
  return (
    <>
      <Menu.Item
        leftSection={<IconBookmarkPlus size={18} stroke={1.75} aria-hidden />}
        disabled={!known}
        onClick={keep}
      >
        {t('keep.button')}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconBookmarks size={18} stroke={1.75} aria-hidden />}
        disabled={!known}
        onClick={() => store.setOpen(!store.get().open)}
      >
        {t('heading')}
      </Menu.Item>
      <Menu.Divider />
    </>
  );
}
