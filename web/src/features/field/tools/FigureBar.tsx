/** What the therapist can do with the chosen figure, in one bar on the field. */
import { ActionIcon, Menu, Popover, Tooltip } from '@mantine/core';
import {
  IconArrowsShuffle,
  IconHandStop,
  IconLetterCase,
  IconMinus,
  IconPlus,
  IconRotate2,
  IconRotateClockwise2,
  IconStack2,
  IconTrash,
  IconUserCheck,
  IconX,
} from '@tabler/icons-react';
import type { Person } from '@fieldroom/contract/clients';
import {
  type Figure,
  FIGURE_COLORS,
  FIGURE_NAME_MAX,
  MOVABLE_BY,
  normalizeRotation,
  SCALE_MAX,
  SCALE_MIN,
  toggledIconType,
} from '@fieldroom/contract/field';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { COLOR_NAMES, figureName, holdersOf } from '../figureLabels.ts';
import { useFieldStore } from '../useField.ts';
import styles from './FigureBar.module.css';

const TURN_DEGREES = 15;
const SIZE_STEP = 0.1;

export interface FigureBarProps {
  figure: Figure;
  /** The clients in the room, who can be given the figure's role. */
  people: readonly Person[];
  /** True right after the figure was added: its name is what is missing. */
  focusName: boolean;
  onClose(): void;
  onRemoved(name: string): void;
}

export function FigureBar({ figure, people, focusName, onClose, onRemoved }: FigureBarProps) {
  const { t } = useTranslation('field');
  const store = useFieldStore();
  const [name, setName] = useState(figure.name);
  const [sure, setSure] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const holders = holdersOf(figure.id, people);

  // Another figure, or somebody else has changed this name while it is not being written here.
  useEffect(() => {
    if (document.activeElement !== input.current) setName(figure.name);
  }, [figure.id, figure.name]);
  useEffect(() => {
    setSure(false);
    if (focusName) input.current?.focus();
  }, [figure.id, focusName]);

  const saveName = () => {
    const next = name.trim();
    if (next !== figure.name) store.act({ kind: 'edit', figureId: figure.id, name: next });
  };
  const scaleTo = (scale: number) => {
    const next = Math.round(Math.min(SCALE_MAX, Math.max(SCALE_MIN, scale)) * 100) / 100;
    if (next !== figure.scale) store.act({ kind: 'place', figureId: figure.id, scale: next });
  };
  const turn = (degrees: number) =>
    store.act({ kind: 'place', figureId: figure.id, rotation: normalizeRotation(figure.rotation + degrees) });
  const canToggle = toggledIconType(figure.iconType) !== figure.iconType;

  return (
    <section className={styles.bar} data-room="figure-bar" aria-label={`${t('bar.label')}: ${figureName(t, figure)}`}>
      <input
        ref={input}
        className={styles.name}
        value={name}
        maxLength={FIGURE_NAME_MAX}
        placeholder={t('bar.namePlaceholder')}
        aria-label={t('bar.name')}
        onChange={(event) => setName(event.currentTarget.value)}
        onBlur={saveName}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur();
          if (event.key === 'Escape') {
            setName(figure.name);
            event.currentTarget.blur();
          }
        }}
      />
      <Popover position="top" withinPortal trapFocus>
        <Popover.Target>
          <Tooltip label={t('bar.color')}>
            <button type="button" className={styles.colorButton} aria-label={t('bar.color')}>
              <span style={{ background: figure.color }} />
            </button>
          </Tooltip>
        </Popover.Target>
        <Popover.Dropdown>
          <div className={styles.colors} role="radiogroup" aria-label={t('bar.color')}>
            {COLOR_NAMES.map((color) => (
              <button
                key={color}
                type="button"
                role="radio"
                aria-checked={figure.color.toUpperCase() === FIGURE_COLORS[color]}
                className={styles.color}
                aria-label={t(`color.${color}`)}
                title={t(`color.${color}`)}
                onClick={() => {
                  if (figure.color.toUpperCase() !== FIGURE_COLORS[color])
                    store.act({ kind: 'edit', figureId: figure.id, color: FIGURE_COLORS[color] });
                }}
              >
                <span style={{ background: FIGURE_COLORS[color] }} />
              </button>
            ))}
          </div>
        </Popover.Dropdown>
      </Popover>
      <span className={styles.group}>
        <Act label={t('bar.turnLeft')} keys="[" onClick={() => turn(-TURN_DEGREES)}>
          <IconRotate2 size={20} stroke={1.75} />
        </Act>
        <Act label={t('bar.turnRight')} keys="]" onClick={() => turn(TURN_DEGREES)}>
          <IconRotateClockwise2 size={20} stroke={1.75} />
        </Act>
        <Act
          label={t('bar.smaller')}
          keys="−"
          onClick={() => scaleTo(figure.scale - SIZE_STEP)}
          disabled={figure.scale <= SCALE_MIN}
        >
          <IconMinus size={20} stroke={1.75} />
        </Act>
        <Act
          label={t('bar.larger')}
          keys="+"
          onClick={() => scaleTo(figure.scale + SIZE_STEP)}
          disabled={figure.scale >= SCALE_MAX}
        >
          <IconPlus size={20} stroke={1.75} />
        </Act>
      </span>
      <span className={styles.group}>
        <Act
          label={figure.showText ? t('bar.hideText') : t('bar.showText')}
          pressed={figure.showText}
          onClick={() => store.act({ kind: 'toggleText', figureId: figure.id })}
        >
          <IconLetterCase size={20} stroke={1.75} />
        </Act>
        {canToggle && (
          <Act label={t('bar.toggleKind')} onClick={() => store.act({ kind: 'toggleIconType', figureId: figure.id })}>
            <IconArrowsShuffle size={20} stroke={1.75} />
          </Act>
        )}
        <Menu position="top" withinPortal>
          <Menu.Target>
            <ActionIcon variant="subtle" size={40} aria-label={t('bar.order')} title={t('bar.order')}>
              <IconStack2 size={20} stroke={1.75} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {(['front', 'forward', 'backward', 'back'] as const).map((to) => (
              <Menu.Item key={to} onClick={() => store.act({ kind: 'reorder', figureId: figure.id, to })}>
                {t(`bar.${to}`)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </span>
      <Menu position="top" withinPortal>
        <Menu.Target>
          <button
            type="button"
            className={styles.text}
            aria-label={`${t('bar.who')}: ${t(`bar.whoShort.${figure.movableBy}`)}`}
          >
            <IconHandStop size={20} stroke={1.75} aria-hidden />
            <span>{t(`bar.whoShort.${figure.movableBy}`)}</span>
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{t('bar.who')}</Menu.Label>
          {MOVABLE_BY.map((who) => (
            <Menu.RadioItem
              key={who}
              value={who}
              checked={figure.movableBy === who}
              closeMenuOnClick
              onChange={() => {
                if (who !== figure.movableBy) store.act({ kind: 'edit', figureId: figure.id, movableBy: who });
              }}
            >
              {t(`bar.whoShort.${who}`)}
            </Menu.RadioItem>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Menu position="top" withinPortal closeOnItemClick={false}>
        <Menu.Target>
          <button type="button" className={styles.text}>
            <IconUserCheck size={20} stroke={1.75} aria-hidden />
            <span>
              {holders.length
                ? t('bar.roleOf', { names: holders.map((person) => person.name).join(', ') })
                : t('bar.noRole')}
            </span>
          </button>
        </Menu.Target>
        <Menu.Dropdown className={styles.menuScroll}>
          <Menu.Label>{t('bar.role')}</Menu.Label>
          {people.length === 0 && <Menu.Item disabled>{t('bar.nobodyToGive')}</Menu.Item>}
          {people.map((person) => {
            const holds = person.roles.includes(figure.id);
            return (
              <Menu.CheckboxItem
                key={person.id}
                checked={holds}
                onChange={() =>
                  store.act({ kind: holds ? 'takeRole' : 'giveRole', clientId: person.id, figureId: figure.id })
                }
              >
                <bdi>{person.name}</bdi>
              </Menu.CheckboxItem>
            );
          })}
        </Menu.Dropdown>
      </Menu>
      {sure ? (
        <button
          type="button"
          className={styles.remove}
          autoFocus
          onBlur={() => setSure(false)}
          onClick={() => {
            store.act({ kind: 'remove', figureId: figure.id });
            onRemoved(figureName(t, figure));
          }}
        >
          {t('bar.removeSure')}
        </button>
      ) : (
        <Act label={t('bar.remove')} onClick={() => setSure(true)} danger>
          <IconTrash size={20} stroke={1.75} />
        </Act>
      )}
      <Act label={t('bar.close')} onClick={onClose} closes>
        <IconX size={20} stroke={1.75} />
      </Act>
    </section>
  );
}

function Act({
  label,
  keys,
  onClick,
  disabled,
  pressed,
  danger,
  closes,
  children,
}: {
  label: string;
  keys?: string;
  onClick(): void;
  disabled?: boolean;
  pressed?: boolean;
  danger?: boolean;
  closes?: boolean;
  children: ReactNode;
}) {
  return (
    <Tooltip
      label={
        keys ? (
          <>
            {label} <kbd>{keys}</kbd>
          </>
        ) : (
          label
        )
      }
    >
      <ActionIcon
        variant="subtle"
        size={40}
        aria-label={label}
        aria-pressed={pressed}
        onClick={onClick}
        disabled={disabled}
        data-danger={danger || undefined}
        data-close={closes || undefined}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
