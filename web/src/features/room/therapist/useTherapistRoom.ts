/** State and acts of the therapist's room: what its parts show, and what their buttons do. */
import type { Admission, RoomState, WaitingPerson } from '@fieldroom/contract/clients';
import type { Figure } from '@fieldroom/contract/field';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyMenu } from '../../../ui/lazy/LazyMenu.tsx';
import { useWarmUp } from '../../../ui/lazy/lazyPart.ts';
import { PHONE_SCREEN, useMediaQuery } from '../../../ui/useMediaQuery.ts';
import {
  figureBar,
  figureName,
  type IconCalls,
  iconsDialog,
  useIconLibrary,
  useUndoKeys,
  useWornIcons,
} from '../../field/index.ts';
import { messagesPanel, useMessagesPart, useMessagesStore } from '../../messages/index.ts';
import { usageDialogs } from '../../usage/index.ts';
import { useVideoStore } from '../../video/index.ts';
import { roomDialogs } from '../parts/lazyDialogs.tsx';
import { roomDrawer } from '../parts/lazyDrawer.tsx';
import { useToast } from '../parts/Toast.tsx';
import { useWaitingChime } from '../people/useWaitingChime.ts';
import { useRoomStore } from '../store/useRoom.ts';
import { isWaitingSoundOn, keepWaitingSound } from './waitingSound.ts';
import { useArrivals } from './useArrivals.ts';
import { useNewFigure } from './useNewFigure.ts';
import { usePeopleActs } from './usePeopleActs.ts';
import { useRoomState } from './useRoomState.ts';

export interface TherapistCalls {
  getRoom(): Promise<RoomState>;
  admit(ids: number[] | 'all'): Promise<{ admitted: number[]; refused: { id: number; code: string }[] }>;
  decline(ids: number[]): Promise<void>;
  clearWaiting(): Promise<{ declined: number }>;
  remove(clientId: number): Promise<void>;
  renewCode(): Promise<{ code: string }>;
  renewJoinLink(): Promise<{ joinLink: string }>;
  setAdmission(admission: Admission): Promise<void>;
  end(): Promise<void>;
  icons: IconCalls;
}

export type TherapistDialog = 'end' | 'reset' | 'icons' | 'keys';
export type TherapistRoomState = ReturnType<typeof useTherapistRoom>;

/** Fetched in quiet moments, in this order. */
const WARM_UP = [figureBar, lazyMenu, roomDrawer, messagesPanel, roomDialogs, usageDialogs, iconsDialog];

/** Takes the calls to the server, and the join link that is valid until the server has told the present one. */
export function useTherapistRoom({ calls, joinLink }: { calls: TherapistCalls; joinLink: string }) {
  const { t } = useTranslation('room');
  const { t: tf } = useTranslation('field');
  const { t: tv } = useTranslation('video');
  const store = useRoomStore();
  const video = useVideoStore();
  const toast = useToast();
  const { tell } = toast;
  const known = useRoomState(calls);
  const { room, refresh, change } = known;
  const wide = useMediaQuery('(min-width: 1200px)');
  const phone = useMediaQuery(PHONE_SCREEN);
  const library = useIconLibrary(calls.icons, useWornIcons());
  const selection = useSelection(phone);
  const panel = usePanel(wide);
  const [dialog, setDialog] = useState<TherapistDialog | null>(() =>
    location.search.includes('icon=') ? 'icons' : null,
  );
  useUndoKeys(store);
  useWarmUp(WARM_UP);

  const failed = useCallback(() => tell({ text: t('failed'), tone: 'fault' }), [tell, t]);
  const attempt = useCallback((work: () => Promise<void>) => work().catch(failed), [failed]);
  const peopleActs = usePeopleActs({ calls, known, tell, attempt });

  const [sound, setSound] = useState(isWaitingSoundOn);
  const ring = useWaitingChime(sound);
  const { seen: panelSeen, show: showPanel } = panel;
  useArrivals(
    useCallback(
      (arrived: readonly WaitingPerson[]) => {
        ring();
        if (panelSeen) return;
        tell({
          text: t('people.arrived', { name: arrived[0]?.name ?? '' }),
          together: {
            kind: 'arrived',
            who: arrived.map(({ id }) => id),
            text: (count) => t('people.arrivedMany', { count }),
          },
          act: { label: t('people.heading'), run: showPanel },
        });
      },
      [ring, panelSeen, showPanel, tell, t],
    ),
  );

  useEffect(
    () =>
      store.onNotice((notice) => {
        switch (notice.kind) {
          case 'refresh':
            // Who has arrived is in the list already.
            if (notice.what === 'icons') library.refresh();
            else if (notice.what === 'room') refresh();
            return;
          case 'wrongCodes':
            change({ wrongTries: notice.count });
            return;
          default:
        }
      }),
    [store, library, refresh, change],
  );

  const link = `${location.origin}/user/join/${room?.joinLink ?? joinLink}`;
  const copy = async (text: string, done: string) => {
    try {
      await navigator.clipboard.writeText(text);
      tell({ text: done, tone: 'done' });
    } catch {
      tell({ text: t('top.copyFailed', { link: text }), tone: 'fault' });
    }
  };
  const undoAct = { label: tf('rail.undo'), run: () => store.undo() };

  return {
    store,
    toast,
    room,
    link,
    wide,
    phone,
    library,
    selection,
    panel,
    dialog,
    setDialog,
    attempt,
    failed,
    peopleActs,
    sound,
    mutedAll: useCallback(() => tell({ text: tv('mutedAll'), tone: 'done' }), [tell, tv]),
    onSound: useCallback((on: boolean) => {
      setSound(on);
      keepWaitingSound(on);
    }, []),
    copyCode: () => void copy(room?.code ?? '', t('top.codeCopied')),
    copyLink() {
      // In an encrypted room the key travels in the link's fragment, which no server sees.
      const key = video.linkFragment();
      if (key === null) void copy(link, t('top.linkCopied'));
      else void copy(`${link}#${key}`, t('top.linkCopiedKey'));
    },
    renewCode: () =>
      void attempt(async () => {
        change(await calls.renewCode());
        tell({ text: t('top.codeRenewed'), tone: 'done' });
      }),
    /** Says that a figure is gone, and offers to undo it. */
    tellRemoved: (name: string) => tell({ text: tf('bar.removed', { name }), act: undoAct }),
    removeFigure(figure: Figure) {
      store.act({ kind: 'remove', figureId: figure.id });
      tell({ text: tf('bar.removed', { name: figureName(tf, figure) }), act: undoAct });
    },
    resetField() {
      store.act({ kind: 'reset' });
      setDialog(null);
      tell({ text: tf('reset.done'), tone: 'done', act: undoAct });
    },
  };
}

/** Which figure is selected, and which one was just added: its name is what is missing. */
function useSelection(phone: boolean) {
  const store = useRoomStore();
  const [selectedId, setSelectedId] = useState<number | null>(null);
  const [freshId, setFreshId] = useState<number | null>(null);
  useNewFigure(
    store,
    useCallback(
      (id: number) => {
        setSelectedId(id);
        setFreshId(phone ? null : id);
      },
      [phone],
    ),
  );
  return useMemo(() => ({ selectedId, freshId, select: setSelectedId }), [selectedId, freshId]);
}

/**
 * The list of people: beside the field on wide screens, where open messages take its place; put away on others until it
 * is wanted.
 */
function usePanel(wide: boolean) {
  const [open, setOpen] = useState(wide);
  useEffect(() => {
    setOpen(wide);
  }, [wide]);
  const messages = useMessagesStore();
  const behindMessages = useMessagesPart((model) => model.open) && wide;
  return useMemo(
    () => ({
      open,
      setOpen,
      close: () => setOpen(false),
      /** Whether it is open and nothing is in its place. */
      seen: open && !behindMessages,
      show() {
        setOpen(true);
        if (behindMessages) messages.setOpen(false);
      },
    }),
    [open, behindMessages, messages],
  );
}
