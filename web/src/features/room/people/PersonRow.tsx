/** One person in the room, with the therapist's acts on them. */
import type { Person } from '@fieldroom/contract/clients';
import type { Figure } from '@fieldroom/contract/field';
import { ActionIcon } from '@mantine/core';
import {
  IconDoorExit,
  IconDots,
  IconHandOff,
  IconHandStop,
  IconMicrophone,
  IconMicrophoneOff,
  IconPlugConnectedX,
} from '@tabler/icons-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { FigureIcon } from '../../../ui/figures/index.ts';
import { LazyMenu, type MenuParts } from '../../../ui/lazy/LazyMenu.tsx';
import { figureName, sameFaces } from '../../field/index.ts';
import { useVideoPart, type VideoCalls, TalkingBars } from '../../video/index.ts';
import { useWordOf } from '../../observerWords/index.ts';
import { useRoomPart, useRoomStore } from '../store/useRoom.ts';
import { Initial } from './Initial.tsx';
import styles from './PeoplePanel.module.css';

const NO_FIGURES: Figure[] = [];

interface PersonRowProps {
  person: Person;
  /** Place among the raised hands, from 1; 0 while the hand is down. */
  hand: number;
  scheme: 'light' | 'dark';
  video: VideoCalls;
  onFailed(): void;
  onRemove(person: Person): void;
}

/**
 * Shows figure, name, hand and what the person does, with a menu for video, roles and removing. It subscribes only to
 * the figures whose role this person has, so that a drag elsewhere does not redraw it.
 */
export const PersonRow = memo(function PersonRow(props: PersonRowProps) {
  const { person, hand, scheme } = props;
  const { t } = useTranslation('room');
  const held = useRoomPart((model) => heldBy(person, model.field?.figures ?? NO_FIGURES), sameFaces);
  return (
    <li data-away={!person.connected || undefined}>
      <Sign name={person.name} figure={held[0]} scheme={scheme} />
      <div>
        <strong>
          <bdi>{person.name}</bdi>
          <TalkingMark id={person.id} />
          {hand > 0 && <RaisedHand place={hand} />}
          <SaidWord id={person.id} />
        </strong>
        <Standing person={person} held={held} />
      </div>
      <LazyMenu
        position="bottom-end"
        closeOnItemClick={false}
        className={styles.menuScroll}
        target={
          <ActionIcon variant="subtle" size={40} aria-label={t('people.more', { name: person.name })}>
            <IconDots size={20} stroke={1.75} />
          </ActionIcon>
        }
      >
        {(Menu) => <PersonMenu parts={Menu} {...props} />}
      </LazyMenu>
    </li>
  );
});

function Sign({ name, figure, scheme }: { name: string; figure: Figure | undefined; scheme: 'light' | 'dark' }) {
  if (!figure || figure.iconType === 'CUSTOM') return <Initial name={name} />;
  return (
    <span className={styles.sign}>
      <FigureIcon kind={figure.iconType} tone={figure.color} scheme={scheme} size={34} />
    </span>
  );
}

function TalkingMark({ id }: { id: number }) {
  const { t } = useTranslation('video');
  const talks = useVideoPart((model) => model.talking.includes(id));
  return talks && <TalkingBars label={t('mark.talking')} />;
}

/** The person's present word. Screen readers read it from the list over the field. */
function SaidWord({ id }: { id: number }) {
  const word = useWordOf(id);
  return (
    word !== null && (
      <span className={styles.word} dir="auto" aria-hidden>
        {word}
      </span>
    )
  );
}

function RaisedHand({ place }: { place: number }) {
  const { t } = useTranslation('video');
  return (
    <span className={styles.hand} role="img" aria-label={t('mark.hand', { place })}>
      <IconHandStop size={20} stroke={1.75} aria-hidden />
      {place}
    </span>
  );
}

/** The person's state in the room: away, with the role of figures, or watching. */
function Standing({ person, held }: { person: Person; held: readonly Figure[] }) {
  const { t } = useTranslation('room');
  const { t: tf } = useTranslation('field');
  if (!person.connected)
    return (
      <span className={styles.away}>
        <IconPlugConnectedX size={16} stroke={1.75} aria-hidden />
        {t('people.away')}
      </span>
    );
  if (held.length === 0) return <span>{t('people.watching')}</span>;
  return <span dir="auto">{held.map((figure) => figureName(tf, figure)).join(', ')}</span>;
}

interface PersonMenuProps extends PersonRowProps {
  parts: MenuParts;
}

function PersonMenu({ parts: Menu, person, hand, scheme, video, onFailed, onRemove }: PersonMenuProps) {
  const { t } = useTranslation('room');
  const { t: tv } = useTranslation('video');
  const face = useVideoPart((model) => model.room?.faces.find((candidate) => candidate.id === person.id) ?? null);
  const stage = useVideoPart((model) => model.room?.stage ?? null);
  const ask = (work: Promise<void>) => void work.catch(onFailed);
  return (
    <>
      {hand > 0 && (
        <Menu.Item
          closeMenuOnClick
          leftSection={<IconHandOff size={18} stroke={1.75} />}
          onClick={() => ask(video.raiseHand(false, person.id))}
        >
          {tv('act.lowerHand')}
        </Menu.Item>
      )}
      {face?.audio && (
        <Menu.Item
          closeMenuOnClick
          leftSection={<IconMicrophoneOff size={18} stroke={1.75} />}
          onClick={() => ask(video.mute([person.id]))}
        >
          {tv('act.mute')}
        </Menu.Item>
      )}
      {face !== null && !face.audio && (
        <Menu.Item
          closeMenuOnClick
          leftSection={<IconMicrophone size={18} stroke={1.75} />}
          onClick={() => ask(video.askToUnmute(person.id))}
        >
          {tv('act.askToUnmute')}
        </Menu.Item>
      )}
      {face !== null && (
        <Menu.CheckboxItem checked={person.selected} onChange={() => ask(video.select(person.id, !person.selected))}>
          {tv('act.select')}
        </Menu.CheckboxItem>
      )}
      {face !== null && (
        <Menu.CheckboxItem
          checked={stage?.includes(person.id) ?? false}
          onChange={(on) => ask(video.turnOnStage(person.id, on))}
        >
          {tv('act.stage')}
        </Menu.CheckboxItem>
      )}
      {(face !== null || hand > 0) && <Menu.Divider />}
      <Menu.Label>{t('people.standsFor')}</Menu.Label>
      <FigureChoices parts={Menu} person={person} scheme={scheme} />
      <Menu.Divider />
      <Menu.Item
        color="danger"
        closeMenuOnClick
        leftSection={<IconDoorExit size={18} stroke={1.75} />}
        onClick={() => onRemove(person)}
      >
        {t('people.remove')}
      </Menu.Item>
    </>
  );
}

/**
 * All figures, with a tick at those whose role the person has. It subscribes to figures only while its menu is open.
 */
function FigureChoices({ parts: Menu, person, scheme }: Pick<PersonMenuProps, 'parts' | 'person' | 'scheme'>) {
  const { t } = useTranslation('room');
  const { t: tf } = useTranslation('field');
  const store = useRoomStore();
  const figures = useRoomPart((model) => model.field?.figures ?? NO_FIGURES, sameFaces);
  if (figures.length === 0) return <Menu.Item disabled>{t('people.noFigures')}</Menu.Item>;
  return figures.map((figure) => {
    const holds = person.roles.includes(figure.id);
    const icon =
      figure.iconType === 'CUSTOM' ? undefined : (
        <FigureIcon kind={figure.iconType} tone={figure.color} scheme={scheme} size={24} />
      );
    return (
      <Menu.CheckboxItem
        key={figure.id}
        checked={holds}
        rightSection={icon}
        onChange={() => store.act({ kind: holds ? 'takeRole' : 'giveRole', clientId: person.id, figureId: figure.id })}
      >
        <bdi>{figureName(tf, figure)}</bdi>
      </Menu.CheckboxItem>
    );
  });
}

/** The figures whose role a person has, the active one first. */
function heldBy(person: Person, figures: readonly Figure[]): Figure[] {
  return figures
    .filter((figure) => person.roles.includes(figure.id))
    .sort((a, b) => Number(b.id === person.activeRole) - Number(a.id === person.activeRole));
}
