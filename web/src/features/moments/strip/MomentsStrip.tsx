/**
 * The strip below the field: the moments of the running live session with their pictures, and buttons to go back to
 * them. Only going back changes the field, after a question.
 */
import type { Moment } from '@fieldroom/contract/moments';
import { IconColumns2, IconHistory, IconX } from '@tabler/icons-react';
import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createQueryClient } from '../../../platform/fetching/queryClient.ts';
import { useStorePart } from '../../../platform/useStorePart.ts';
import { shownFigures } from '../../field/acts/index.ts';
import { type FieldGround, type FieldStore, whenAnswered } from '../../field/index.ts';
import { CompareDialog } from '../compare/CompareDialog.tsx';
import { LookBackDialog } from '../replay/LookBackDialog.tsx';
import { useMomentWords } from '../useMomentWords.ts';
import type { MomentsStore } from '../room/momentsStore.ts';
import type { Told } from '../room/useKeptMoments.ts';
import { MomentCard } from './MomentCard.tsx';
import { MomentDialogs, type MomentQuestion } from './MomentDialogs.tsx';
import styles from './strip.module.css';

export interface MomentsStripProps {
  store: MomentsStore;
  field: FieldStore;
  ground: FieldGround | null;
  tell(told: Told): void;
}

/** Elements over the strip. */
type Opened = { view: 'lookBack'; from: Moment | null } | { view: 'compare'; first: Moment | null } | null;

/** The room has no query cache of its own. */
export function MomentsStrip(props: MomentsStripProps) {
  const [client] = useState(createQueryClient);
  return (
    <QueryClientProvider client={client}>
      <Strip {...props} />
    </QueryClientProvider>
  );
}

function Strip({ store, field, ground, tell }: MomentsStripProps) {
  const { t } = useTranslation('moments');
  const value = useStorePart(store, (model) => model.value);
  const [question, setQuestion] = useState<MomentQuestion | null>(null);
  const [opened, setOpened] = useState<Opened>(null);
  const list = useRef<HTMLUListElement>(null);
  const goBack = useGoBack(field, tell);
  const [kept, setKept] = useState<number | null>(null);
  useEffect(() => store.onAnswer((answer) => setKept(answer.kind === 'kept' ? answer.moment.number : null)), [store]);

  const moments = value?.moments ?? [];
  const newest = moments.at(-1)?.id;
  useEffect(() => {
    list.current?.scrollTo({ left: list.current.scrollWidth });
  }, [newest]);
  if (value === null) return null;

  const ask = (what: MomentQuestion['ask']) => (moment: Moment) => setQuestion({ ask: what, moment });
  const acts = {
    onGoBack: ask('goBack'),
    onRename: ask('rename'),
    onDelete: ask('delete'),
    onCompare: (moment: Moment) => setOpened({ view: 'compare', first: moment }),
    onLookBack: (moment: Moment) => setOpened({ view: 'lookBack', from: moment }),
  };
  const close = () => setOpened(null);
  return (
    <section className={styles.strip} aria-label={t('heading')} data-room="moments">
      <header className={styles.head}>
        <h2>{t('heading')}</h2>
        <div className={styles.acts}>
          <button type="button" onClick={() => setOpened({ view: 'lookBack', from: null })}>
            <IconHistory size={18} stroke={1.75} aria-hidden />
            {t('replay.open')}
          </button>
          <button
            type="button"
            disabled={moments.length === 0}
            onClick={() => setOpened({ view: 'compare', first: null })}
          >
            <IconColumns2 size={18} stroke={1.75} aria-hidden />
            {t('compare.open')}
          </button>
        </div>
        <button
          type="button"
          className={styles.close}
          aria-label={t('close')}
          title={t('close')}
          onClick={() => store.setOpen(false)}
        >
          <IconX size={20} stroke={1.75} aria-hidden />
        </button>
      </header>
      {moments.length === 0 ? (
        <p className={styles.empty}>{t('empty')}</p>
      ) : (
        <ul ref={list} className={styles.cards}>
          {moments.map((moment) => (
            <MomentCard key={moment.id} moment={moment} ground={ground} acts={acts} />
          ))}
        </ul>
      )}
      <p className="fr-hidden" role="status">
        {kept === null ? '' : t('keep.done', { number: kept })}
      </p>
      <MomentDialogs
        question={question}
        onClose={() => setQuestion(null)}
        // The server sends the list to all screens.
        onChanged={() => undefined}
        onGoBack={(moment) => void goBack(moment)}
      />
      <LiveLookBack
        field={field}
        opened={opened?.view === 'lookBack'}
        sessionId={value.liveSessionId}
        from={opened?.view === 'lookBack' ? opened.from : null}
        ground={ground}
        onClose={close}
      />
      <CompareWithNow
        field={field}
        opened={opened?.view === 'compare'}
        moments={moments}
        first={opened?.view === 'compare' ? opened.first : null}
        ground={ground}
        onClose={close}
      />
    </section>
  );
}

type Of<C extends (props: never) => unknown> = Parameters<C>[0];

/** Separate components, so that each act on the field redraws only these and no picture of the strip. */
function LiveLookBack({ field, ...props }: { field: FieldStore } & Omit<Of<typeof LookBackDialog>, 'revision'>) {
  const revision = useStorePart(field, (model) => model.field?.revision ?? 0);
  return <LookBackDialog {...props} revision={revision} />;
}
function CompareWithNow({ field, ...props }: { field: FieldStore } & Omit<Of<typeof CompareDialog>, 'now'>) {
  const model = useStorePart(field, (now) => now);
  const now = useMemo(() => shownFigures(model), [model]);
  return <CompareDialog {...props} now={now} />;
}

/** Goes back to a moment as one act, and reports it once the server has confirmed it: there may be nothing to undo. */
function useGoBack(field: FieldStore, tell: MomentsStripProps['tell']) {
  const { t } = useTranslation('moments');
  const say = useMomentWords();
  return async (moment: Moment) => {
    const told = { text: t('goBack.done', { name: say.moment(moment) }), tone: 'done' } as const;
    const actId = field.act({ kind: 'backToMoment', momentId: moment.id });
    if (!(await whenAnswered(field, actId))) return;
    const undo = { label: t('goBack.undo'), run: () => void field.act({ kind: 'undo', actId }) };
    // The field already equalled the moment: the act has changed nothing.
    tell(field.get().undo.includes(actId) ? { ...told, act: undo } : told);
  };
}
