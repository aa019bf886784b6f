/**
 * Two moments side by side, on a phone one above the other: the same part of the field, with the differences numbered
 * in both pictures and listed.
 */
import type { Figure } from '@fieldroom/contract/field';
import type { Moment } from '@fieldroom/contract/moments';
import { useQuery } from '@tanstack/react-query';
import { Skeleton } from '@mantine/core';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { sayProblem } from '../../../platform/i18n/app.ts';
import { problemText } from '../../../platform/i18n/faults.ts';
import dialog from '../../../ui/dialogs/Dialog.module.css';
import { Dialog } from '../../../ui/dialogs/Dialog.tsx';
import { LoadFault } from '../../../ui/states/LoadFault.tsx';
import { type FieldGround, FieldStill } from '../../field/picture/index.ts';
import { momentQueries } from '../momentQueries.ts';
import { changeOf } from '../momentWords.ts';
import { useMomentWords } from '../useMomentWords.ts';
import { compareFields, type Difference } from './compareFields.ts';
import { relationDifferenceWords } from './compareWords.ts';
import parts from '../../../ui/roomParts.module.css';
import styles from './compare.module.css';

interface CompareDialogProps {
  opened: boolean;
  moments: readonly Moment[];
  /** The live field; null if there is none. */
  now: readonly Figure[] | null;
  /** The moment to compare; without one, the newest two. */
  first: Moment | null;
  ground: FieldGround | null;
  onClose(): void;
}

/** The choice of a side: a moment by its id, or the present field. */
type Side = number | 'now';

/** Each side can be any moment or, in the room, the present field (docs/product.md#6.13). */
export function CompareDialog({ opened, first, ...rest }: CompareDialogProps) {
  const { t } = useTranslation('moments');
  const { t: tc } = useTranslation('common');
  return (
    <Dialog opened={opened} onClose={rest.onClose} size={1000} title={t('compare.title')} close={tc('close')}>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by keys */}
      <div className={dialog.scroll} tabIndex={0} role="group" aria-label={t('compare.title')}>
        {opened ? <Compared key={first?.id ?? 0} first={first} {...rest} /> : null}
      </div>
    </Dialog>
  );
}

/** The initial choice of both sides. */
function sidesAtFirst(first: Moment | null, moments: readonly Moment[], now: boolean): [Side, Side] {
  const newest = moments.at(-1)?.id ?? 'now';
  if (first) {
    const other = now ? 'now' : (moments.findLast(({ id }) => id !== first.id)?.id ?? first.id);
    return [first.id, other];
  }
  return moments.length > 1 ? [moments.at(-2)!.id, newest] : [newest, now ? 'now' : newest];
}

function Compared({ first, moments, now, ground }: Omit<CompareDialogProps, 'opened' | 'onClose'>) {
  const { t } = useTranslation('moments');
  const { t: tc } = useTranslation('common');
  const say = useMomentWords();
  const [[one, other], setSides] = useState(() => sidesAtFirst(first, moments, now !== null));
  const [fieldOne, fieldOther] = [useField(one, now), useField(other, now)];
  const [figures, others] = [fieldOne.figures, fieldOther.figures];
  const differences = figures && others ? compareFields(figures, others) : null;
  const nameOf = (side: Side) => {
    const moment = moments.find(({ id }) => id === side);
    return moment ? say.moment(moment) : t('compare.now');
  };
  const fault = fieldOne.fault ?? fieldOther.fault;
  const both = [...(figures ?? []), ...(others ?? [])];
  const marks = new Map(differences?.map(({ figureId, number }) => [figureId, String(number)]));
  const choices: Side[] = [...moments.map(({ id }) => id), ...(now ? (['now'] as const) : [])];
  return (
    <div className={styles.compare}>
      {fault ? (
        <LoadFault
          text={`${t('compare.failed')} ${problemText(sayProblem, fault)}`}
          retry={tc('tryAgain')}
          onRetry={() => {
            fieldOne.again();
            fieldOther.again();
          }}
        />
      ) : null}
      <div className={styles.sides}>
        {(
          [
            { side: one, field: figures, choose: (side: Side) => setSides([side, other]), label: t('compare.one') },
            { side: other, field: others, choose: (side: Side) => setSides([one, side]), label: t('compare.other') },
          ] as const
        ).map(({ side, field, choose, label }, index) => (
          <div key={index} className={styles.side}>
            <Choice label={label} side={side} choices={choices} nameOf={nameOf} onChoose={choose} />
            <div className={styles.picture}>
              {field ? (
                <FieldStill
                  figures={field}
                  fit={both}
                  marks={marks}
                  label={t('compare.field', { name: nameOf(side), count: field.length })}
                  names
                  described
                  ground={ground}
                />
              ) : (
                <Skeleton height="100%" />
              )}
            </div>
          </div>
        ))}
      </div>
      {differences ? (
        <Differences
          differences={differences}
          figures={both}
          one={nameOf(one)}
          other={nameOf(other)}
          same={one === other}
        />
      ) : null}
    </div>
  );
}

/** The figures of a side. */
function useField(side: Side, now: readonly Figure[] | null) {
  const { data, error, refetch } = useQuery({
    ...momentQueries.field(side === 'now' ? 0 : side),
    enabled: side !== 'now',
  });
  return {
    figures: side === 'now' ? (now ?? undefined) : data,
    fault: side === 'now' ? null : error,
    again: () => void (error ? refetch() : undefined),
  };
}

function Choice({
  label,
  side,
  choices,
  nameOf,
  onChoose,
}: {
  label: string;
  side: Side;
  choices: readonly Side[];
  nameOf(side: Side): string;
  onChoose(side: Side): void;
}) {
  const id = useId();
  return (
    <>
      <label htmlFor={id} className="fr-hidden">
        {label}
      </label>
      <select
        id={id}
        className={`${parts.textField} ${styles.choice}`}
        value={side}
        onChange={({ currentTarget: { value } }) => onChoose(value === 'now' ? 'now' : Number(value))}
      >
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {nameOf(choice)}
          </option>
        ))}
      </select>
    </>
  );
}

function Differences({
  differences,
  figures,
  one,
  other,
  same,
}: {
  differences: readonly Difference[];
  /** Those of both fields. */
  figures: readonly Figure[];
  one: string;
  other: string;
  same: boolean;
}) {
  const { t } = useTranslation('moments');
  const { t: tf } = useTranslation('field');
  const say = useMomentWords();
  // Their names in the second field, if they are there.
  const byId = new Map(figures.map((figure) => [figure.id, figure]));
  const nameOf = (id: number) => {
    const figure = byId.get(id);
    return figure ? say.figure(figure) : '';
  };
  const words = ({ one: before, other: after, step }: Difference) => {
    const name = say.figure((before ?? after)!);
    if (!after) return t('compare.only', { name, where: one });
    if (!before) return t('compare.only', { name, where: other });
    const named = 'set' in step && step.set.name !== undefined && before.name !== '';
    return named
      ? t('compare.renamed', { name, now: say.figure(after) })
      : t(`change.${changeOf(step)}`, { name: say.figure(before.name === '' ? after : before) });
  };
  return (
    <div className={styles.differences} role="status">
      <h3>{t(same || differences.length === 0 ? 'compare.same' : 'compare.differs', { count: differences.length })}</h3>
      {differences.length > 0 ? (
        <ul>
          {differences.map((difference) => (
            <li key={difference.figureId}>
              <span className={styles.number}>{difference.number}</span>
              <span>
                {words(difference)}
                {difference.relations.map((found) => (
                  <span key={`${found.from} ${found.relation.to}`} className={styles.relation}>
                    {relationDifferenceWords(t, tf, found, nameOf)}
                  </span>
                ))}
              </span>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
