/**
 * The acts that do not fit on a phone, behind one button and with words (docs/product.md#11.7): pointing, undo,
 * moments, the video's layouts and devices, code and link, light or dark, a client's bug report. It imports nothing of
 * other features, so that the room's own code stays in one file: LazyPhoneMore passes everything.
 */
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconCopy,
  IconDots,
  IconLink,
  IconRefresh,
  IconShieldCheck,
} from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LazyMenu, type MenuParts } from '../../../ui/lazy/LazyMenu.tsx';
import { setAppearance, useAppearance } from '../../../ui/theme/appearance.ts';
import type { PhoneVideo, VideoCalls } from '../../video/index.ts';
import styles from './PhoneMore.module.css';

export interface PhoneMoreProps {
  as: 'therapist' | 'client';
  pointing: boolean;
  onPointing(): void;
  /** A client's gaze from their active figure; for the therapist it is among a figure's tools. */
  look?: { looking: boolean; canLook: boolean; onLook(): void };
  /** The therapist's acts on the video; null for clients. */
  calls: VideoCalls | null;
  onFailed(): void;
  onMutedAll(): void;
  /** Entries that other features add to the therapist's menu. */
  moreItems?(menu: MenuParts): ReactNode;
  /**
   * Entries that other features add at the end. `whenGone` runs work once the menu has closed and returned the focus.
   */
  lastItems?(menu: MenuParts, whenGone: (work: () => void) => void): ReactNode;
  /** The therapist's code and link. */
  joining?: Joining;
  can: { undo: boolean; redo: boolean };
  onUndo(): void;
  onRedo(): void;
  /** The video's part of the menu; null until it is loaded. */
  video: PhoneVideo | null;
}

interface Joining {
  room: { code: string | null } | null;
  copyCode(): void;
  copyLink(): void;
  renewCode(): void;
}

/**
 * The button and its menu. `look` and `joining` are omitted if the person has none; dialogs that it opens outlive the
 * menu.
 */
export function PhoneMore({
  as,
  pointing,
  onPointing,
  look,
  moreItems,
  lastItems,
  joining,
  can,
  video,
  ...props
}: PhoneMoreProps) {
  const { t } = useTranslation('room');
  const { t: tf } = useTranslation('field');
  const dark = useAppearance().scheme === 'dark';
  const [devices, setDevices] = useState(false);
  const waiting = useRef<(() => void) | null>(null);
  const whenGone = (work: () => void) => {
    waiting.current = work;
  };
  const onGone = () => {
    const work = waiting.current;
    waiting.current = null;
    work?.();
  };
  return (
    <>
      <LazyMenu
        position="bottom-end"
        className={styles.menu ?? ''}
        onExitTransitionEnd={onGone}
        target={
          <button type="button" className={styles.button} data-room="more">
            <IconDots size={22} stroke={1.75} aria-hidden />
            <span>{t('more.button')}</span>
          </button>
        }
      >
        {(Menu) => (
          <>
            <p className={styles.private}>
              <IconShieldCheck size={18} stroke={1.75} aria-hidden />
              {t('private')}
            </p>
            <Menu.CheckboxItem checked={pointing} closeMenuOnClick onChange={onPointing}>
              {tf('point')}
            </Menu.CheckboxItem>
            {look && (
              <Menu.CheckboxItem
                checked={look.looking}
                closeMenuOnClick
                disabled={!look.canLook}
                onChange={look.onLook}
              >
                {tf('bar.look')}
              </Menu.CheckboxItem>
            )}
            <Menu.Item
              leftSection={<IconArrowBackUp size={18} stroke={1.75} aria-hidden />}
              disabled={!can.undo}
              onClick={props.onUndo}
            >
              {tf('rail.undo')}
            </Menu.Item>
            <Menu.Item
              leftSection={<IconArrowForwardUp size={18} stroke={1.75} aria-hidden />}
              disabled={!can.redo}
              onClick={props.onRedo}
            >
              {tf('rail.redo')}
            </Menu.Item>
            <Menu.Divider />
            {moreItems?.(Menu)}
            {video && <video.VideoMenuItems menu={Menu} as={as} onDevices={() => setDevices(true)} />}
            {joining && <JoiningItems menu={Menu} {...joining} />}
            <Menu.CheckboxItem
              checked={dark}
              closeMenuOnClick
              onChange={() => setAppearance({ scheme: dark ? 'light' : 'dark' })}
            >
              {t('more.dark')}
            </Menu.CheckboxItem>
            {lastItems?.(Menu, whenGone)}
          </>
        )}
      </LazyMenu>
      {video && <Keys use={video.useLayoutKeys} />}
      {video && devices && (
        <video.VideoOptionsDialog
          calls={props.calls}
          phone
          onFailed={props.onFailed}
          onMutedAll={props.onMutedAll}
          onClose={() => setDevices(false)}
        />
      )}
    </>
  );
}

function JoiningItems({ menu: Menu, room, copyCode, copyLink, renewCode }: Joining & { menu: MenuParts }) {
  const { t } = useTranslation('room');
  return (
    <>
      {room?.code && (
        <Menu.Item leftSection={<IconCopy size={18} stroke={1.75} aria-hidden />} onClick={copyCode}>
          {t('top.copyCode', { code: room.code })}
        </Menu.Item>
      )}
      <Menu.Item leftSection={<IconLink size={18} stroke={1.75} aria-hidden />} onClick={copyLink}>
        {t('top.copyLink')}
      </Menu.Item>
      <Menu.Item leftSection={<IconRefresh size={18} stroke={1.75} aria-hidden />} onClick={renewCode}>
        {t('top.renewCode')}
      </Menu.Item>
      <Menu.Divider />
    </>
  );
}

/** A separate component, because a fetched hook can be called only once it is loaded. */
function Keys({ use }: { use(): void }) {
  use();
  return null;
}
