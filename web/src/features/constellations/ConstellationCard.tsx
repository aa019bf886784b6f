/**
 * One constellation: its picture, its contents, and its acts. Acts that would lose something ask next to their button.
 */
import { CONSTELLATION_NAME_MAX, type Constellation } from '@fieldroom/contract/constellations';
import { Button, TextInput } from '@mantine/core';
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../platform/i18n/app.ts';
import { dateFormat } from '../../platform/i18n/formats.ts';
import type { FieldGround } from '../field/picture/index.ts';
import { ConstellationPicture } from './ConstellationPicture.tsx';
import { nameFault, useDeleting, useRenaming } from './constellationQueries.ts';
import styles from './Constellations.module.css';

export interface ConstellationCardProps {
  one: Constellation;
  ground: FieldGround | null;
  /** Number of figures on the field, which loading would replace. */
  standing: number;
  /** The server has not confirmed the present field yet. */
  waiting: boolean;
  /** It was saved a moment ago. */
  fresh: boolean;
  onLoad(): void;
  onDeleted(): void;
}

type Act = 'load' | 'rename' | 'delete';

/**
 * Loading asks only while figures stand on the field (docs/product.md#5.19). The focus moves to the question and
 * returns.
 */
export function ConstellationCard({
  one,
  ground,
  standing,
  waiting,
  fresh,
  onLoad,
  onDeleted,
}: ConstellationCardProps) {
  const { t } = useTranslation('constellations');
  const nameId = useId();
  const [open, setOpen] = useState<Act | null>(null);
  const { name, figures, standIns, savedOn } = one;
  const day = dateFormat(currentLanguage(), { dateStyle: 'long' }).format(new Date(savedOn));
  const close = () => setOpen(null);

  return (
    <li className={styles.card} aria-labelledby={nameId} data-fresh={fresh || undefined}>
      <strong id={nameId}>{name}</strong>
      <ConstellationPicture one={one} ground={ground} />
      <div className={styles.words}>
        <span>
          {t('figures', { count: figures })} · {day}
        </span>
        {standIns > 0 ? <span>{t('standIns', { count: standIns })}</span> : null}
      </div>
      {open === 'load' ? (
        <Question
          text={t('loadAsk', { count: standing })}
          yes={t('loadYes')}
          no={t('loadNo')}
          onYes={onLoad}
          onNo={close}
        />
      ) : null}
      {open === 'delete' ? <DeleteQuestion one={one} onDeleted={onDeleted} onNo={close} /> : null}
      {open === 'rename' ? <RenameForm one={one} onDone={close} /> : null}
      {/* They stay mounted, so that the focus can return to the pressed one. */}
      <Acts
        one={one}
        open={open}
        waiting={waiting}
        onPressed={(act) => {
          if (act === 'load' && standing === 0) onLoad();
          else setOpen(act);
        }}
      />
    </li>
  );
}

const ACTS: readonly Act[] = ['load', 'rename', 'delete'];

function Acts({
  one: { name },
  open,
  waiting,
  onPressed,
}: {
  one: Constellation;
  open: Act | null;
  waiting: boolean;
  onPressed(act: Act): void;
}) {
  const { t } = useTranslation('constellations');
  const buttons = useRef<Partial<Record<Act, HTMLButtonElement | null>>>({});
  const before = useRef<Act | null>(null);
  useEffect(() => {
    if (open === null && before.current !== null) buttons.current[before.current]?.focus();
    before.current = open;
  }, [open]);
  return (
    <div className={styles.acts} hidden={open !== null}>
      {ACTS.map((act) => (
        <Button
          key={act}
          ref={(button) => {
            buttons.current[act] = button;
          }}
          size="xs"
          variant={act === 'load' ? 'default' : 'subtle'}
          {...(act === 'delete' ? { color: 'danger' } : {})}
          disabled={act === 'load' && waiting}
          aria-label={t(`${act}Name`, { name })}
          onClick={() => onPressed(act)}
        >
          {t(act)}
        </Button>
      ))}
    </div>
  );
}

interface QuestionProps {
  text: string;
  yes: string;
  no: string;
  danger?: boolean;
  busy?: boolean;
  fault?: ReactNode;
  onYes(): void;
  onNo(): void;
}

/** Asks next to the pressed button. The focus goes to the answer that loses nothing. */
function Question({ text, yes, no, danger = false, busy = false, fault, onYes, onNo }: QuestionProps) {
  const textId = useId();
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => keep.current?.focus(), []);
  return (
    <div className={styles.question} role="group" aria-labelledby={textId}>
      <p id={textId}>{text}</p>
      {fault ? (
        <p className={styles.fault} role="alert">
          {fault}
        </p>
      ) : null}
      <div className={styles.acts}>
        <Button ref={keep} size="xs" variant="default" disabled={busy} aria-describedby={textId} onClick={onNo}>
          {no}
        </Button>
        <Button size="xs" loading={busy} {...(danger ? { color: 'danger' } : {})} onClick={onYes}>
          {yes}
        </Button>
      </div>
    </div>
  );
}

function DeleteQuestion({ one, onDeleted, onNo }: { one: Constellation; onDeleted(): void; onNo(): void }) {
  const { t } = useTranslation('constellations');
  const deleting = useDeleting(one.id, onDeleted);
  return (
    <Question
      danger
      text={t('deleteAsk', { name: one.name })}
      yes={t('deleteYes')}
      no={t('deleteNo')}
      busy={deleting.isPending}
      fault={deleting.fault}
      onYes={() => deleting.run()}
      onNo={onNo}
    />
  );
}

function RenameForm({ one, onDone }: { one: Constellation; onDone(): void }) {
  const { t } = useTranslation('constellations');
  const [name, setName] = useState(one.name);
  const [missing, setMissing] = useState<string | null>(null);
  const renaming = useRenaming(one.id, onDone);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, []);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const fault = nameFault(name);
    setMissing(fault);
    if (fault !== null) input.current?.focus();
    else if (name === one.name) onDone();
    else renaming.run(name);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onDone();
  };
  return (
    <form className={styles.question} onSubmit={onSubmit} noValidate>
      <TextInput
        ref={input}
        label={t('newName')}
        maxLength={CONSTELLATION_NAME_MAX}
        autoComplete="off"
        value={name}
        error={missing ?? renaming.fault}
        onChange={(event) => {
          setName(event.currentTarget.value);
          setMissing(null);
          renaming.reset();
        }}
        onKeyDown={onKeyDown}
        // Escape restores the name and does not close the dialog.
        data-mantine-stop-propagation
      />
      <div className={styles.acts}>
        <Button size="xs" variant="default" disabled={renaming.isPending} onClick={onDone}>
          {t('renameNo')}
        </Button>
        <Button size="xs" type="submit" loading={renaming.isPending}>
          {t('renameYes')}
        </Button>
      </div>
    </form>
  );
}
