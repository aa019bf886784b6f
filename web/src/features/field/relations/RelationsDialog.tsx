/** The relations of one figure: a list, and a form for a new or changed one (docs/product.md#5.33). */
import {
  type Figure,
  type Relation,
  RELATION_KINDS,
  RELATION_WORD_MAX,
  type RelationKind,
  RELATIONS_MAX,
} from '@fieldroom/contract/field';
import { optionalLine } from '@fieldroom/contract/text';
import { Button } from '@mantine/core';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formFault } from '../../../platform/forms/formFault.ts';
import { sayProblem } from '../../../platform/i18n/app.ts';
import { faultText } from '../../../platform/i18n/faults.ts';
import dialog from '../../../ui/dialogs/Dialog.module.css';
import { Dialog } from '../../../ui/dialogs/Dialog.tsx';
import label from '../../../ui/controls/fieldLabel.module.css';
import { useAppearance } from '../../../ui/theme/appearance.ts';
import { NAME_SIZE } from '../names/nameText.ts';
import { figureName } from '../figureLabels.ts';
import { ColorChoices } from '../tools/ColorButton.tsx';
import { sameFaces, shownOf, useFieldPart, useFieldStore } from '../useField.ts';
import { withoutRelation, withRelation } from './relationEdits.ts';
import { relationLine } from './relationLine.ts';
import { RelationStrokes } from './RelationStrokes.tsx';
import { relationLook, relationWords } from './relationWords.ts';
import parts from '../../../ui/roomParts.module.css';
import styles from './RelationsDialog.module.css';

export interface RelationsDialogProps {
  opened: boolean;
  figure: Figure;
  onClose(): void;
  /** The dialog has closed, and the element that had the focus before no longer exists. */
  onFocusLost(): void;
}

/**
 * The therapist's dialog, opened from the toolbar of `figure`. Each change is a separate act on the field, and can be
 * undone there.
 */
export function RelationsDialog({ opened, figure, onClose, onFocusLost }: RelationsDialogProps) {
  const { t } = useTranslation('relations');
  const { t: tf } = useTranslation('field');
  const { t: tc } = useTranslation('common');
  const title = t('title', { name: figureName(tf, figure) });
  return (
    <Dialog opened={opened} onClose={onClose} size={560} title={title} close={tc('close')}>
      <Relations figure={figure} title={title} onClose={onClose} onFocusLost={onFocusLost} />
    </Dialog>
  );
}

/** Whether two states of the field look the same in this dialog. */
const sameOthers = (a: readonly Figure[], b: readonly Figure[]) =>
  sameFaces(a, b) && a.every((one, index) => one.relations === b[index]?.relations);

interface RelationsProps extends Omit<RelationsDialogProps, 'opened'> {
  title: string;
}

function Relations({ figure, title, onClose, onFocusLost }: RelationsProps) {
  const { t } = useTranslation('relations');
  const store = useFieldStore();
  const figures = useFieldPart(shownOf, sameOthers);
  const [changing, setChanging] = useState<number | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const formId = useId();
  useFocusLost(onFocusLost);
  const others = figures.filter(({ id }) => id !== figure.id);
  const byId = new Map(others.map((other) => [other.id, other]));
  const has = figure.relations.filter(({ to }) => byId.has(to));
  const changed = has.find(({ to }) => to === changing);
  const free = others.filter(({ id }) => !has.some(({ to }) => to === id));
  const canAdd = has.length < RELATIONS_MAX && free.length > 0;
  const set = (relations: readonly Relation[]) =>
    store.act({ kind: 'edit', figureId: figure.id, relations: [...relations] });
  const toList = () => {
    setChanging(null);
    heading.current?.focus();
  };
  const form = {
    id: formId,
    onSettled(relation: Relation) {
      set(withRelation(figure.relations, relation, new Set(byId.keys())));
      toList();
    },
  };

  return (
    <>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by keys */}
      <div className={dialog.scroll} tabIndex={0} role="group" aria-label={title}>
        {others.length === 0 ? <p className={styles.quiet}>{t('alone')}</p> : null}
        {others.length === 0 ? null : (
          <section className={styles.part}>
            <h3 ref={heading} tabIndex={-1}>
              {t('has')}
            </h3>
            {has.length === 0 ? <p className={styles.quiet}>{t('none')}</p> : null}
            <ul className={styles.list} data-room="relations">
              {has.map((relation) => (
                <Row
                  key={relation.to}
                  relation={relation}
                  other={byId.get(relation.to) as Figure}
                  chosen={relation.to === changing}
                  onChange={() => setChanging(relation.to)}
                  onRemove={() => {
                    set(withoutRelation(figure.relations, relation.to));
                    toList();
                  }}
                />
              ))}
            </ul>
            <Back figure={figure} others={others} />
          </section>
        )}
        {changed ? (
          <RelationForm key={changed.to} start={changed} others={[byId.get(changed.to) as Figure]} {...form} />
        ) : canAdd ? (
          <RelationForm
            key={`new ${has.length}`}
            start={{ to: 0, kind: 'plain', color: figure.color, word: '' }}
            others={free}
            {...form}
          />
        ) : others.length > 0 ? (
          <p className={styles.quiet}>{free.length === 0 ? t('all') : t('full', { count: RELATIONS_MAX })}</p>
        ) : null}
      </div>
      <div className={dialog.acts}>
        <Button variant="default" onClick={changed ? toList : onClose}>
          {changed ? t('cancel') : t('done')}
        </Button>
        {changed || canAdd ? (
          <Button type="submit" form={formId}>
            {changed ? t('save') : t('add')}
          </Button>
        ) : null}
      </div>
    </>
  );
}

/** Reports that the dialog has closed and nothing has the focus. */
function useFocusLost(onFocusLost: () => void): void {
  const tell = useRef(onFocusLost);
  useEffect(() => {
    tell.current = onFocusLost;
  });
  useEffect(
    () => () => {
      if (document.activeElement === document.body) tell.current();
    },
    [],
  );
}

/** The relations that lead to the figure: they belong to the others. */
function Back({ figure, others }: { figure: Figure; others: readonly Figure[] }) {
  const { t } = useTranslation('relations');
  const { t: tf } = useTranslation('field');
  const words = others.flatMap((other) =>
    other.relations.filter(({ to }) => to === figure.id).map((one) => relationWords(tf, one, figureName(tf, other))),
  );
  return words.length === 0 ? null : <p className={styles.quiet}>{t('back', { relations: words.join(', ') })}</p>;
}

const SAMPLE = { width: 52, height: 28 };

/** The line's look. */
function Sample({ relation }: { relation: Pick<Relation, 'kind' | 'color'> }) {
  const { scheme } = useAppearance();
  const ends = [0, SAMPLE.width].map((x) => ({ x, y: SAMPLE.height / 2, radius: 0 }));
  const line = relationLine(ends[0]!, ends[1]!, { kind: relation.kind, bent: false });
  return (
    <svg {...SAMPLE} aria-hidden focusable="false" className={styles.sample}>
      {line && <RelationStrokes relation={relation} scheme={scheme} line={line} size={NAME_SIZE} />}
    </svg>
  );
}

interface RowProps {
  relation: Relation;
  other: Figure;
  chosen: boolean;
  onChange(): void;
  onRemove(): void;
}

function Row({ relation, other, chosen, onChange, onRemove }: RowProps) {
  const { t } = useTranslation('relations');
  const { t: tf } = useTranslation('field');
  const name = figureName(tf, other);
  return (
    <li className={styles.row} data-chosen={chosen || undefined}>
      <Sample relation={relation} />
      <p>
        <strong>{name}</strong>
        <span>{relationLook(tf, relation)}</span>
      </p>
      <span className={styles.acts}>
        <Button
          size="xs"
          variant="default"
          aria-label={t('changeOne', { name })}
          aria-pressed={chosen}
          onClick={onChange}
        >
          {t('change')}
        </Button>
        <Button size="xs" variant="subtle" color="danger" aria-label={t('removeOne', { name })} onClick={onRemove}>
          {t('remove')}
        </Button>
      </span>
    </li>
  );
}

/** In the contract's form; created here, so that the room's first scripts need no schemas. */
const wordShape = optionalLine(RELATION_WORD_MAX);

interface RelationFormProps {
  start: Relation;
  /** The figures to which it can lead; only one when it is changed. */
  others: readonly Figure[];
  id: string;
  onSettled(relation: Relation): void;
}

function RelationForm({ id: formId, start, others, onSettled }: RelationFormProps) {
  const { t } = useTranslation('relations');
  const { t: tf } = useTranslation('field');
  const ids = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const [to, setTo] = useState(start.to);
  const [kind, setKind] = useState<RelationKind>(start.kind);
  const [color, setColor] = useState(start.color);
  const [word, setWord] = useState(start.word);
  const changed = start.to !== 0;
  const chosen = others.find(({ id }) => id === to) ?? others[0]!;
  useEffect(() => {
    if (changed) heading.current?.focus();
  }, [changed]);
  const wordInput = useRef<HTMLInputElement>(null);
  const wrong = formFault(wordShape, word);
  const settle = (event: FormEvent) => {
    event.preventDefault();
    if (wrong !== null) wordInput.current?.focus();
    else onSettled({ to: chosen.id, kind, color, word: word.trim() });
  };
  return (
    <form id={formId} className={styles.part} onSubmit={settle}>
      <h3 ref={heading} tabIndex={-1}>
        {changed ? t('changeTitle', { name: figureName(tf, chosen) }) : t('newTitle')}
      </h3>
      {changed ? null : (
        <div>
          <label className={label.label} htmlFor={`${ids}to`}>
            {t('to')}
          </label>
          <select
            id={`${ids}to`}
            className={`${parts.textField} ${styles.field}`}
            value={chosen.id}
            onChange={({ currentTarget }) => setTo(Number(currentTarget.value))}
          >
            {others.map((other) => (
              <option key={other.id} value={other.id}>
                {other.name === '' ? figureName(tf, other) : `${other.name} (${tf(`kind.${other.iconType}`)})`}
              </option>
            ))}
          </select>
        </div>
      )}
      <fieldset className={styles.kinds}>
        <legend className={label.label}>{t('kind')}</legend>
        {RELATION_KINDS.map((each) => (
          <label key={each} className={styles.kind}>
            <input type="radio" name={`${ids}kind`} checked={each === kind} onChange={() => setKind(each)} />
            <Sample relation={{ kind: each, color }} />
            <span>{tf(`relation.kind.${each}`)}</span>
          </label>
        ))}
      </fieldset>
      <div className={styles.colors}>
        <span className={label.label} aria-hidden>
          {tf('bar.color')}
        </span>
        <ColorChoices label={tf('bar.color')} color={color} onColor={setColor} />
      </div>
      <div>
        <label className={label.label} htmlFor={`${ids}word`}>
          {t('word')}
        </label>
        <input
          ref={wordInput}
          id={`${ids}word`}
          className={`${parts.textField} ${styles.field}`}
          value={word}
          maxLength={RELATION_WORD_MAX}
          placeholder={t('wordExample')}
          autoComplete="off"
          aria-invalid={wrong !== null || undefined}
          aria-describedby={wrong === null ? undefined : `${ids}fault`}
          onChange={(event) => setWord(event.currentTarget.value)}
        />
        {wrong !== null && (
          <p id={`${ids}fault`} role="alert" className={styles.fault}>
            {faultText(sayProblem, 'word', wrong)}
          </p>
        )}
      </div>
    </form>
  );
}
