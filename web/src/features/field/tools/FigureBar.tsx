/** The therapist's acts on the selected figure: a panel beside the field, or a row below it. */
import {
  IconArrowsShuffle,
  IconDots,
  IconEye,
  IconHandStop,
  IconLetterCase,
  IconLine,
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
import { type Figure, FIGURE_NAME_MAX, MOVABLE_BY, SCALE_MAX, SCALE_MIN, sameValue } from '@fieldroom/contract/field';
import { optionalLine } from '@fieldroom/contract/text';
import { memo, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formFault } from '../../../platform/forms/formFault.ts';
import { sayProblem } from '../../../platform/i18n/app.ts';
import { faultText } from '../../../platform/i18n/faults.ts';
import { LazyMenu } from '../../../ui/lazy/LazyMenu.tsx';
import { figureName, holdersOf } from '../figureLabels.ts';
import type { IconLibrary } from '../icons/iconLibrary.ts';
import { LazyRelationsDialog } from '../relations/LazyRelationsDialog.tsx';
import { ColorButton } from './ColorButton.tsx';
import { PressPopover } from './PressPopover.tsx';
import { type FigureActs, useFigureActs } from './useFigureActs.ts';
import parts from '../../../ui/roomParts.module.css';
import styles from './FigureBar.module.css';

export interface FigureBarProps {
  figure: Figure;
  /** The clients in the room, who can be given the figure's role. */
  people: readonly Person[];
  library: IconLibrary;
  /** `panel` beside the field, `row` below it, `phone` for a row with few tools. */
  form: 'panel' | 'row' | 'phone';
  /** Increases each time the name is to be edited: after the figure was added, and with Enter on the figure. */
  nameAsked: number;
  /** The keyboard has finished here and continues at the figure. */
  onDone(): void;
  onClose(): void;
  /** This person looks from the figure. */
  looking: boolean;
  /** Looks from this figure, or stops with null. */
  onLook(figureId: number | null): void;
  /** Takes the name of the figure and the id of the act. */
  onRemoved(name: string, actId: string): void;
}

/** Redrawn when its content has changed, and not with each move of the figure. */
export const FigureBar = memo(Tools, sameTools);

function Tools(props: FigureBarProps) {
  const { figure, form, onClose, onDone } = props;
  const { t } = useTranslation('field');
  const acts = useFigureActs(props);
  const [relating, setRelating] = useState(false);
  const parts = { ...props, acts, onRelations: () => setRelating(true) };
  const close = <Tool icon={<IconX {...ICON} />} label={t('bar.close')} onClick={onClose} plain />;
  return (
    <section
      className={styles.bar}
      data-room="figure-bar"
      data-form={form}
      aria-label={`${t('bar.label')}: ${figureName(t, figure)}`}
      onKeyDown={(event) => {
        // Menus are elsewhere in the page and close by themselves.
        if (event.key !== 'Escape' || event.defaultPrevented || !event.currentTarget.contains(event.target as Node))
          return;
        onDone();
        onClose();
      }}
    >
      <NameInput key={figure.id} {...props} acts={acts} />
      {form === 'panel' ? (
        <>
          {close}
          <div className={styles.tools}>
            <ColorButton figure={figure} onColor={acts.color} />
            <Looks {...props} acts={acts} />
            <Turns acts={acts} />
            <Sizes acts={acts} figure={figure} />
            <Rights {...parts} />
          </div>
        </>
      ) : (
        <>
          <ColorButton figure={figure} onColor={acts.color} />
          {form === 'row' ? (
            <>
              <Turns acts={acts} />
              <Sizes acts={acts} figure={figure} />
            </>
          ) : (
            <RoleMenu {...props} acts={acts} short />
          )}
          <More {...parts} />
          {close}
        </>
      )}
      <LazyRelationsDialog opened={relating} figure={figure} onClose={() => setRelating(false)} onFocusLost={onDone} />
    </section>
  );
}

const MOVES = new Set<keyof Figure>(['x', 'y', 'rotation', 'order', 'updatedOn', 'startX', 'startY', 'startRotation']);

function sameTools(a: FigureBarProps, b: FigureBarProps): boolean {
  const { figure: one, ...partsOfOne } = a;
  const { figure: other, ...partsOfOther } = b;
  return (
    (Object.keys(other) as (keyof Figure)[]).every((key) => MOVES.has(key) || sameValue(one[key], other[key])) &&
    (Object.keys(partsOfOther) as (keyof typeof partsOfOther)[]).every((key) => partsOfOne[key] === partsOfOther[key])
  );
}

const ICON = { size: 20, stroke: 1.75, 'aria-hidden': true } as const;

type PartProps = FigureBarProps & { acts: FigureActs };
type MoreProps = PartProps & { onRelations(): void };

/** In the contract's form; created here, so that the room's first scripts need no schemas. */
const nameShape = optionalLine(FIGURE_NAME_MAX);
/** Why a name cannot be stored, such as invisible characters; null for a valid one. */
const wrongIn = (name: string) => formFault(nameShape, name);

function NameInput({ figure, nameAsked, onDone, acts }: PartProps) {
  const { t } = useTranslation('field');
  const [name, setName] = useState(figure.name);
  const input = useRef<HTMLInputElement>(null);
  const faultId = useId();
  /** The typed text that is not stored yet; null without one, and then names from other screens stay. */
  const typed = useRef<string | null>(null);
  const store = useRef(acts);
  useEffect(() => {
    store.current = acts;
  });
  // When a finger selects something else, the input is removed before the focus leaves it: then no blur is fired.
  useEffect(
    () => () => {
      if (typed.current === null || wrongIn(typed.current) !== null) return;
      if (store.current.isThere()) store.current.name(typed.current);
    },
    [],
  );

  // Somebody else has changed this name while it is not being edited here.
  useEffect(() => {
    if (typed.current === null) setName(figure.name);
  }, [figure.name]);
  useEffect(() => {
    if (nameAsked === 0) return;
    input.current?.focus();
    input.current?.select();
  }, [nameAsked]);

  const wrong = wrongIn(name);
  return (
    <>
      <input
        ref={input}
        className={`${parts.textField} ${styles.name}`}
        value={name}
        maxLength={FIGURE_NAME_MAX}
        placeholder={t('bar.namePlaceholder')}
        aria-label={t('bar.name')}
        aria-invalid={wrong !== null || undefined}
        aria-describedby={wrong === null ? undefined : faultId}
        enterKeyHint="done"
        onChange={(event) => {
          typed.current = event.currentTarget.value;
          setName(typed.current);
        }}
        onBlur={() => {
          if (typed.current === null) setName(figure.name);
          // It stays here with its fault, and nothing is stored.
          else if (wrong !== null) return;
          else acts.name(typed.current);
          typed.current = null;
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && wrong === null) onDone();
          // The typed text is discarded; this key also closes the bar.
          if (event.key === 'Escape') typed.current = null;
        }}
      />
      {wrong !== null && (
        <p id={faultId} role="alert" className={styles.fault}>
          {faultText(sayProblem, 'name', wrong)}
        </p>
      )}
    </>
  );
}

interface ToolProps {
  icon: ReactNode;
  /** The whole sentence, for screen readers and as a tooltip. */
  label: string;
  /** The caption below the icon; none if everybody knows the icon. */
  word?: string;
  keys?: string;
  disabled?: boolean;
  /** Why it is disabled, as its tooltip and its description. */
  why?: string;
  pressed?: boolean;
  danger?: boolean;
  plain?: boolean;
  onClick?(): void;
}

function Tool({ icon, label, word, keys, disabled, why, pressed, danger, plain, ...rest }: ToolProps) {
  return (
    <button
      type="button"
      className={styles.tool}
      aria-label={label}
      title={why ?? (keys ? `${label} (${keys})` : label)}
      aria-pressed={pressed}
      disabled={disabled}
      data-danger={danger || undefined}
      data-plain={plain || undefined}
      {...rest}
    >
      {icon}
      {word && <span>{word}</span>}
    </button>
  );
}

function Turns({ acts }: { acts: FigureActs }) {
  const { t } = useTranslation('field');
  return (
    <>
      <Tool
        icon={<IconRotate2 {...ICON} />}
        label={t('bar.turnLeft')}
        word={t('bar.left')}
        keys="["
        onClick={acts.turnLeft}
      />
      <Tool
        icon={<IconRotateClockwise2 {...ICON} />}
        label={t('bar.turnRight')}
        word={t('bar.right')}
        keys="]"
        onClick={acts.turnRight}
      />
    </>
  );
}

function Sizes({ acts, figure }: { acts: FigureActs; figure: Figure }) {
  const { t } = useTranslation('field');
  return (
    <>
      <Tool
        icon={<IconMinus {...ICON} />}
        label={t('bar.smaller')}
        word={t('bar.smaller')}
        keys="−"
        disabled={figure.scale <= SCALE_MIN}
        onClick={acts.smaller}
      />
      <Tool
        icon={<IconPlus {...ICON} />}
        label={t('bar.larger')}
        word={t('bar.larger')}
        keys="+"
        disabled={figure.scale >= SCALE_MAX}
        onClick={acts.larger}
      />
    </>
  );
}

/** The parts without room in a row. */
function More(props: MoreProps) {
  const { t } = useTranslation('field');
  return (
    <PressPopover
      position="top-end"
      className={styles.more}
      target={
        <button type="button" className={styles.tool} aria-label={t('bar.more')}>
          <IconDots {...ICON} />
          <span>{t('bar.more')}</span>
        </button>
      }
    >
      {(close) => (
        <div className={styles.tools}>
          {props.form === 'phone' && (
            <>
              <Turns {...props} />
              <Sizes {...props} />
            </>
          )}
          <Looks {...props} inPopover />
          <Rights {...props} inPopover onLeave={close} />
        </div>
      )}
    </PressPopover>
  );
}

interface InPopover {
  /** A menu is mounted in the popover then, which would close with a press elsewhere. */
  inPopover?: boolean;
  /** Closes the popover, for acts that show something beside it. */
  onLeave?(): void;
}

/** Each at its place, for every kind of figure: impossible acts are disabled. */
function Looks({ figure, acts, inPopover = false }: PartProps & InPopover) {
  const { t } = useTranslation('field');
  return (
    <>
      <Tool
        icon={<IconLetterCase {...ICON} />}
        label={figure.showText ? t('bar.hideText') : t('bar.showText')}
        word={t('bar.text')}
        pressed={figure.showText}
        onClick={acts.toggleText}
      />
      <Tool
        icon={<IconArrowsShuffle {...ICON} />}
        label={t('bar.toggleKind')}
        word={t('bar.shape')}
        {...(acts.canToggleKind ? {} : { disabled: true, why: t('bar.oneShape') })}
        onClick={acts.toggleKind}
      />
      <LazyMenu
        position="top"
        withinPortal={!inPopover}
        target={
          <button type="button" className={styles.tool}>
            <IconStack2 {...ICON} />
            <span>{t('bar.order')}</span>
          </button>
        }
      >
        {(Menu) =>
          (['front', 'forward', 'backward', 'back'] as const).map((to) => (
            <Menu.Item key={to} onClick={() => acts.reorder(to)}>
              {t(`bar.${to}`)}
            </Menu.Item>
          ))
        }
      </LazyMenu>
    </>
  );
}

/** Who may move it and who has its role; its relations and its sight; and its removal. */
function Rights(props: MoreProps & InPopover) {
  const { figure, acts, inPopover = false } = props;
  const { t } = useTranslation('field');
  return (
    <>
      <Ties {...props} />
      <LazyMenu
        position="top"
        withinPortal={!inPopover}
        target={
          <button type="button" className={styles.line}>
            <IconHandStop {...ICON} />
            <span>{t('bar.moves', { who: t(`bar.whoShort.${figure.movableBy}`) })}</span>
          </button>
        }
      >
        {(Menu) => (
          <>
            <Menu.Label>{t('bar.who')}</Menu.Label>
            {MOVABLE_BY.map((who) => (
              <Menu.RadioItem
                key={who}
                value={who}
                checked={figure.movableBy === who}
                closeMenuOnClick
                onChange={() => acts.movableBy(who)}
              >
                {t(`bar.whoShort.${who}`)}
              </Menu.RadioItem>
            ))}
          </>
        )}
      </LazyMenu>
      <RoleMenu {...props} />
      <RemoveButton key={figure.id} {...props} />
    </>
  );
}

/** Its relations, and the figures in its sight. */
function Ties({ figure, looking, onLook, onRelations, onLeave }: MoreProps & InPopover) {
  const { t } = useTranslation('field');
  return (
    <>
      <button
        type="button"
        className={styles.tool}
        data-wide
        aria-haspopup="dialog"
        onClick={() => {
          onLeave?.();
          onRelations();
        }}
      >
        <IconLine {...ICON} />
        <span>{t('bar.relations')}</span>
      </button>
      <button
        type="button"
        className={styles.tool}
        data-wide
        aria-pressed={looking}
        onClick={() => {
          onLeave?.();
          onLook(looking ? null : figure.id);
        }}
      >
        <IconEye {...ICON} />
        <span>{t('bar.look')}</span>
      </button>
    </>
  );
}

/** The second press removes. */
function RemoveButton({ figure, acts, onRemoved }: PartProps) {
  const { t } = useTranslation('field');
  const [sure, setSure] = useState(false);
  return (
    <button
      type="button"
      className={styles.line}
      data-danger
      data-sure={sure || undefined}
      onBlur={() => setSure(false)}
      onClick={() => {
        if (!sure) {
          setSure(true);
          return;
        }
        const actId = acts.remove();
        if (actId === null) setSure(false);
        else onRemoved(figureName(t, figure), actId);
      }}
    >
      <IconTrash {...ICON} />
      <span>{sure ? t('bar.removeSure') : t('bar.remove')}</span>
    </button>
  );
}

function RoleMenu({
  figure,
  people,
  acts,
  inPopover = false,
  short = false,
}: PartProps & InPopover & { short?: boolean }) {
  const { t } = useTranslation('field');
  const holders = holdersOf(figure.id, people);
  const words = holders.length
    ? t('bar.roleOf', { names: holders.map((person) => person.name).join(', ') })
    : t('bar.noRole');
  return (
    <LazyMenu
      position="top"
      withinPortal={!inPopover}
      closeOnItemClick={false}
      className={styles.menuScroll}
      target={
        <button
          type="button"
          className={short ? styles.tool : styles.line}
          data-short={short || undefined}
          {...(short ? { 'aria-label': `${t('bar.role')}: ${words}` } : {})}
        >
          <IconUserCheck {...ICON} />
          <span>{short ? t('bar.role') : words}</span>
        </button>
      }
    >
      {(Menu) => (
        <>
          <Menu.Label>{t('bar.role')}</Menu.Label>
          {people.length === 0 && <Menu.Item disabled>{t('bar.nobodyToGive')}</Menu.Item>}
          {people.map((person) => {
            const holds = person.roles.includes(figure.id);
            return (
              <Menu.CheckboxItem key={person.id} checked={holds} onChange={() => acts.role(person.id, !holds)}>
                <bdi>{person.name}</bdi>
              </Menu.CheckboxItem>
            );
          })}
        </>
      )}
    </LazyMenu>
  );
}
