/** The strip of moments while it is open, and elsewhere in the room the buttons that keep the field and open the strip. */
import { IconBookmarkPlus, IconBookmarks } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { lazyPart, useLazyPart } from '../../../ui/lazy/lazyPart.ts';
import { useStorePart } from '../../../platform/useStorePart.ts';
import type { FieldGround, FieldStore } from '../../field/index.ts';
import type { MomentsEar } from '../momentsEar.ts';
import { type MomentsStore, momentsStoreOf } from './momentsStore.ts';
import { useKeepKey } from './useKeepKey.ts';
import { type Told, useKeptMoments } from './useKeptMoments.ts';
import parts from '../../../ui/roomParts.module.css';

export interface RoomMomentsProps {
  ear: MomentsEar;
  /** The buttons are icons alone. */
  phone: boolean;
  tell(told: Told): void;
  /** Where the buttons stand: among the controls below, on a phone in the corner. null before it is drawn. */
  place: HTMLElement | null;
  field: FieldStore;
  ground: FieldGround | null;
}

const momentsStrip = lazyPart(() => import('../strip/MomentsStrip.tsx'));
/** Fetches the strip at the first sign of a hand. */
const fetchStrip = () => void momentsStrip.load().catch(() => undefined);

export function RoomMoments({ ear, phone, tell, place, field, ground }: RoomMomentsProps) {
  const store = momentsStoreOf(ear);
  const open = useStorePart(store, (model) => model.open);
  useKeepKey(store);
  useKeptMoments(store, tell);
  const strip = useLazyPart(momentsStrip, open, () => store.setOpen(false));
  return (
    <>
      {open && strip ? <strip.MomentsStrip store={store} field={field} ground={ground} tell={tell} /> : null}
      {place ? createPortal(<Buttons store={store} open={open} phone={phone} />, place) : null}
    </>
  );
}

function Buttons({ store, open, phone }: { store: MomentsStore; open: boolean; phone: boolean }) {
  const { t } = useTranslation('moments');
  const known = useStorePart(store, (model) => model.value !== null);
  const opener = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    // The strip took the focus with it when it went.
    const focusLost = document.activeElement === null || document.activeElement === document.body;
    if (wasOpen.current && !open && focusLost) opener.current?.focus();
    wasOpen.current = open;
  }, [open]);
  const size = phone ? 20 : 22;
  const words = (text: string) => (phone ? { 'aria-label': text, title: text } : {});
  const style = phone ? parts.cornerButton : parts.control;
  return (
    <>
      <button
        type="button"
        className={style}
        aria-keyshortcuts="k"
        {...(phone ? {} : { 'data-hint': t('keep.hint') })}
        {...words(t('keep.button'))}
        disabled={!known}
        onClick={() => store.keep()}
      >
        <IconBookmarkPlus size={size} stroke={1.75} aria-hidden />
        {phone ? null : t('keep.button')}
      </button>
      <button
        ref={opener}
        type="button"
        className={style}
        aria-expanded={open}
        {...words(t('heading'))}
        disabled={!known}
        onPointerEnter={fetchStrip}
        onFocus={fetchStrip}
        onClick={() => store.setOpen(!open)}
      >
        <IconBookmarks size={size} stroke={1.75} aria-hidden />
        {phone ? null : t('heading')}
      </button>
    </>
  );
}
