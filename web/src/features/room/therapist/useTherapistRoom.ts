/** State and acts of the therapist's room: the data of its parts, and the effects of their buttons. */
import type { Admission, RoomState, WaitingPerson } from '@fieldroom/contract/clients';
import type { Figure } from '@fieldroom/contract/field';
import { joinPage } from '@fieldroom/contract/pages';
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { createEmitter } from '../../../platform/emitter.ts';
import { lazyMenu } from '../../../ui/lazy/LazyMenu.tsx';
import { useWarmUp } from '../../../ui/lazy/lazyPart.ts';
import { PHONE_SCREEN, useMediaQuery } from '../../../ui/useMediaQuery.ts';
import { constellationsDialog } from '../../constellations/index.ts';
import {
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
import { roomDialogs } from '../dialogs/lazyDialogs.tsx';
import { roomDrawer } from '../dialogs/lazyDrawer.tsx';
import { toldOf, useToast } from '../notices/Toast.tsx';
import { useWaitingChime } from '../people/useWaitingChime.ts';
import { useReopened, useRoomStore } from '../store/useRoom.ts';
import { createStoredNews } from './news/storedNews.ts';
import { isWaitingSoundOn, keepWaitingSound } from './news/waitingSound.ts';
import { useArrivals } from './news/useArrivals.ts';
import { leadToNewFigure, useNewFigure } from './news/useNewFigure.ts';
import { usePeopleActs } from './usePeopleActs.ts';
import { useRoomState } from './useRoomState.ts';

export interface TherapistCalls {
  getRoom(): Promise<RoomState>;
  admit(ids: number[]): Promise<{ admitted: number[]; refused: { id: number; code: string }[] }>;
  decline(ids: number[]): Promise<void>;
  clearWaiting(): Promise<{ declined: number }>;
  remove(clientId: number): Promise<void>;
  renewCode(): Promise<{ code: string }>;
  renewJoinLink(): Promise<{ joinLink: string }>;
  setAdmission(admission: Admission): Promise<void>;
  end(): Promise<void>;
  icons: IconCalls;
}

export type TherapistDialog = 'end' | 'reset' | 'clear' | 'constellations' | 'icons' | 'keys' | 'picture';
export type TherapistRoomState = ReturnType<typeof useTherapistRoom>;

/** Fetched when the browser is idle, in this order. */
const WARM_UP = [lazyMenu, roomDrawer, messagesPanel, roomDialogs, usageDialogs, iconsDialog, constellationsDialog];

/** The icon that a search leads to, null if the address names none (docs/product.md#11.33). */
function iconInAddress(): number | null {
  const icon = Number(new URLSearchParams(location.search).get('icon'));
  return Number.isSafeInteger(icon) && icon > 0 ? icon : null;
}

/** Takes the calls to the server, and the join link that is valid until the server has sent the present one. */
export function useTherapistRoom({ calls, joinLink }: { calls: TherapistCalls; joinLink: string }) {
  const { t } = useTranslation('room');
  const { t: tf } = useTranslation('field');
  const { t: tv } = useTranslation('video');
  const store = useRoomStore();
  const video = useVideoStore();
  const toast = useToast();
  const { tell, onlyThose } = toast;
  const known = useRoomState(calls);
  const { room, refresh, change } = known;
  const wide = useMediaQuery('(min-width: 1200px)');
  const phone = useMediaQuery(PHONE_SCREEN);
  const library = useIconLibrary(calls.icons, useWornIcons());
  const selection = useSelection(phone);
  const panel = usePanel(wide);
  const [foundIcon] = useState(iconInAddress);
  const [dialog, setDialog] = useState<TherapistDialog | null>(foundIcon === null ? null : 'icons');
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
          ...toldOf({
            kind: 'arrived',
            who: arrived,
            text: ([first, ...more]) =>
              more.length === 0
                ? t('people.arrived', { name: first?.name ?? '' })
                : t('people.arrivedMany', { count: more.length + 1 }),
          }),
          act: { label: t('people.heading'), run: showPanel },
        });
      },
      [ring, panelSeen, showPanel, tell, t],
    ),
    useCallback((waiting: readonly WaitingPerson[]) => onlyThose('arrived', waiting), [onlyThose]),
  );

  useEffect(
    () =>
      store.onNotice((notice) => {
        if (notice.kind !== 'refresh') return;
        switch (notice.about.what) {
          case 'icons':
            library.refresh();
            return;
          case 'room':
            refresh();
            return;
          case 'wrongCodes':
            change({ wrongTries: notice.about.wrongTries });
            return;
          default:
          // People who have arrived are already in the list, and other features handle their own messages.
        }
      }),
    [store, library, refresh, change],
  );

  // Messages in between were missed: code, link and admission may have changed, and icons may have been deleted.
  const { refresh: refreshIcons } = library;
  useReopened(
    useCallback(() => {
      refresh();
      refreshIcons();
    }, [refresh, refreshIcons]),
  );

  const link = `${location.origin}${joinPage(room?.joinLink ?? joinLink)}`;
  const copy = async (text: string, done: string) => {
    try {
      await navigator.clipboard.writeText(text);
      tell({ text: done, tone: 'done' });
    } catch {
      tell({ text: t('top.copyFailed', { link: text }), tone: 'fault' });
    }
  };
  const tellStored = createStoredNews({ store, tell, undoLabel: tf('rail.undo') });
  /** Acts on the whole field. */
  const actOnAll = (kind: 'reset' | 'clear') => {
    setDialog(null);
    void tellStored(store.act({ kind }), { text: tf(`${kind}.done`), tone: 'done' });
  };

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
    foundIcon,
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
      // In an encrypted room the key is part of the link's fragment, which no server sees.
      const key = video.linkFragment();
      if (key === null) void copy(link, t('top.linkCopied'));
      else void copy(`${link}#${key}`, t('top.linkCopiedKey'));
    },
    renewCode: () =>
      void attempt(async () => {
        change(await calls.renewCode());
        tell({ text: t('top.codeRenewed'), tone: 'done' });
      }),
    /** Reports that a figure was removed, and offers to undo it. Takes its name and the act that removed it. */
    tellRemoved: (name: string, actId: string) => void tellStored(actId, { text: tf('bar.removed', { name }) }),
    removeFigure(figure: Figure) {
      const actId = store.act({ kind: 'remove', figureId: figure.id });
      void tellStored(actId, { text: tf('bar.removed', { name: figureName(tf, figure) }) });
    },
    resetField: () => actOnAll('reset'),
    clearField() {
      selection.select(null);
      actOnAll('clear');
    },
    /** Reports that a constellation, whose act was just stored, is on the field, and offers to undo it. */
    tellLoaded(text: string) {
      selection.select(null);
      const actId = store.get().undo.at(-1);
      if (actId !== undefined) void tellStored(actId, { text, tone: 'done' });
    },
    onConstellationNews: useCallback(
      (listener: () => void) =>
        store.onNotice((notice) => {
          if (notice.kind === 'refresh' && notice.about.what === 'constellations') listener();
        }),
      [store],
    ),
  };
}

interface Selected {
  selectedId: number | null;
  /** How often its name was requested since it was selected. */
  nameAsked: number;
}

/**
 * The selected figure. It is a store, so that a starting drag redraws only the field and its tools, and not the whole
 * room.
 */
export type Selection = ReturnType<typeof createSelection>;

function createSelection() {
  let selected: Selected = { selectedId: null, nameAsked: 0 };
  const changed = createEmitter();
  const become = (next: Selected) => {
    selected = next;
    changed.emit();
  };
  return {
    get: () => selected,
    subscribe: changed.on,
    select(id: number | null) {
      if (selected.selectedId !== id) become({ selectedId: id, nameAsked: 0 });
    },
    /** Selects a figure, and focuses its name. */
    askName: (id: number) =>
      become({ selectedId: id, nameAsked: selected.selectedId === id ? selected.nameAsked + 1 : 1 }),
  };
}

/** Reads the selected figure and follows the selection. */
export const useSelected = (selection: Selection): Selected => useSyncExternalStore(selection.subscribe, selection.get);

function useSelection(phone: boolean): Selection {
  const [selection] = useState(createSelection);
  const store = useRoomStore();
  useNewFigure(
    store,
    useCallback((id: number) => leadToNewFigure(id, { store, selection, phone }), [store, selection, phone]),
  );
  return selection;
}

/**
 * The list of people: beside the field on wide screens, where open messages replace it; closed on others until it is
 * opened.
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
      /** Whether it is open and nothing replaces it. */
      seen: open && !behindMessages,
      show() {
        setOpen(true);
        if (behindMessages) messages.setOpen(false);
      },
    }),
    [open, behindMessages, messages],
  );
}
