/**
 * The therapist's prepared constellations: save the field, load one, rename, delete (docs/product.md#5.17 to #5.19).
 */
import type { Constellation } from '@fieldroom/contract/constellations';
import { QueryClientProvider, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage, sayProblem } from '../../platform/i18n/app.ts';
import { problemText } from '../../platform/i18n/faults.ts';
import { queryClient } from '../../platform/fetching/queryClient.ts';
import { Callout } from '../../ui/states/Callout.tsx';
import { Dialog } from '../../ui/dialogs/Dialog.tsx';
import { LoadFault } from '../../ui/states/LoadFault.tsx';
import { useFieldPart, useFieldStore, whenAnswered } from '../field/index.ts';
import type { FieldGround } from '../field/picture/index.ts';
import { ConstellationCard } from './ConstellationCard.tsx';
import { askAgain, constellationQueries } from './constellationQueries.ts';
import { SaveForm } from './SaveForm.tsx';
import dialog from '../../ui/dialogs/Dialog.module.css';
import parts from '../../ui/roomParts.module.css';
import styles from './Constellations.module.css';
import { alphabet } from '../../platform/i18n/formats.ts';

export interface ConstellationsDialogProps {
  opened: boolean;
  /** The background; null while it is not known. */
  ground: FieldGround | null;
  onClose(): void;
  /** Reports once that a constellation was loaded; it can be undone. */
  onLoaded(text: string): void;
  /** Listens for changes of the list on other screens of this therapist. Returns a function that stops listening. */
  onNews(listener: () => void): () => void;
}

/** The room has no cache of its own. */
export function ConstellationsDialog(props: ConstellationsDialogProps) {
  const { t } = useTranslation('constellations');
  const { t: tc } = useTranslation('common');
  return (
    <QueryClientProvider client={queryClient}>
      <Dialog
        opened={props.opened}
        onClose={props.onClose}
        size={800}
        title={t('title')}
        close={tc('close')}
        closeOnClickOutside
      >
        <Constellations {...props} />
      </Dialog>
    </QueryClientProvider>
  );
}

/** Mounted while the dialog is open, so that each opening fetches the list again and begins from the start. */
function Constellations({ ground, onClose, onLoaded, onNews }: ConstellationsDialogProps) {
  const { t } = useTranslation('constellations');
  const store = useFieldStore();
  const [told, setTold] = useState<string | null>(null);
  const [savedId, setSavedId] = useState<number | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const waiting = useFieldPart((model) => model.field === null || model.pending.length > 0);
  const standing = useFieldPart((model) => model.field?.figures.length ?? 0);

  const load = async ({ id, name, standIns }: Constellation) => {
    const standing = store.get().field?.revision ?? 0;
    const actId = store.act({ kind: 'load', constellationId: id, standing });
    onClose();
    // The room explains the refusal.
    if (!(await whenAnswered(store, actId))) return;
    onLoaded([t('loaded', { name }), ...(standIns > 0 ? [t('standIns', { count: standIns })] : [])].join(' '));
  };
  const onDeleted = (name: string) => {
    setTold(t('deleted', { name }));
    heading.current?.focus();
  };

  return (
    <>
      <p className={dialog.line}>{t('hint')}</p>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by keys */}
      <div className={dialog.scroll} tabIndex={0} role="group" aria-label={t('title')}>
        <SaveForm
          waiting={waiting}
          nothing={standing === 0}
          onTyped={() => setTold(null)}
          onSaved={({ id, name }) => {
            setTold(t('saved', { name }));
            setSavedId(id);
          }}
        />
        <h3 ref={heading} tabIndex={-1} className={styles.heading}>
          {t('list')}
        </h3>
        <List
          ground={ground}
          standing={standing}
          waiting={waiting}
          savedId={savedId}
          onNews={onNews}
          onLoad={(one) => void load(one)}
          onDeleted={onDeleted}
        />
      </div>
      <div className={dialog.words} role="status">
        {told === null ? null : <Callout tone="done">{told}</Callout>}
      </div>
    </>
  );
}

interface ListProps extends Pick<ConstellationsDialogProps, 'ground' | 'onNews'> {
  standing: number;
  waiting: boolean;
  /** The last saved one. */
  savedId: number | null;
  onLoad(one: Constellation): void;
  onDeleted(name: string): void;
}

function List({ ground, standing, waiting, savedId, onNews, onLoad, onDeleted }: ListProps) {
  const { t } = useTranslation('constellations');
  const { t: tc } = useTranslation('common');
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(constellationQueries.all());
  useEffect(() => onNews(() => void askAgain(queries)), [onNews, queries]);
  const language = currentLanguage();
  const sorted = useMemo(() => {
    const { compare } = alphabet(language, { numeric: true });
    return data?.toSorted((a, b) => compare(a.name, b.name));
  }, [data, language]);

  if (!sorted && error)
    return (
      <LoadFault
        text={`${t('listFailed')} ${problemText(sayProblem, error)}`}
        retry={tc('tryAgain')}
        onRetry={() => void refetch()}
      />
    );
  if (!sorted)
    return (
      <div role="status" aria-busy="true" aria-label={tc('loading')} className={styles.list}>
        {[0, 1].map((index) => (
          <div key={index} className={`${parts.skeleton} ${styles.bone}`} />
        ))}
      </div>
    );
  if (sorted.length === 0)
    return (
      <div className={styles.empty}>
        <strong>{t('empty')}</strong>
        <p>{t('emptyHint')}</p>
      </div>
    );
  return (
    <ul className={styles.list}>
      {sorted.map((one) => (
        <ConstellationCard
          key={one.id}
          one={one}
          ground={ground}
          standing={standing}
          waiting={waiting}
          fresh={one.id === savedId}
          onLoad={() => onLoad(one)}
          onDeleted={() => onDeleted(one.name)}
        />
      ))}
    </ul>
  );
}
