/** Among the details of a past live session: the look back at its moves, and its moments. */
import type { Moment } from '@fieldroom/contract/moments';
import { IconColumns2 } from '@tabler/icons-react';
import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FieldGround } from '../../field/picture/index.ts';
import { CompareDialog } from '../compare/CompareDialog.tsx';
import { momentQueries } from '../momentQueries.ts';
import { MomentCard } from '../strip/MomentCard.tsx';
import { MomentDialogs, type MomentQuestion } from '../strip/MomentDialogs.tsx';
import { ReplayView } from './ReplayView.tsx';
import strip from '../strip/strip.module.css';
import styles from './SessionLookBack.module.css';

export interface SessionLookBackProps {
  sessionId: number;
  ground: FieldGround | null;
}

/**
 * Moments can be compared, renamed and deleted here, and the look back can start at one; there is no field to go back
 * to. `ground` is the background behind the figures.
 */
export function SessionLookBack({ sessionId, ground }: SessionLookBackProps) {
  const { t } = useTranslation('moments');
  const client = useQueryClient();
  const { data } = useQuery(momentQueries.replay(sessionId));
  const [begin, setBegin] = useState<{ at: number | 'start'; turn: number }>({ at: 'start', turn: 0 });
  const [question, setQuestion] = useState<MomentQuestion | null>(null);
  const [compared, setCompared] = useState<{ first: Moment | null } | null>(null);
  const moments = data?.moments ?? [];
  const acts = {
    onCompare: (moment: Moment) => setCompared({ first: moment }),
    onLookBack: ({ afterMove }: Moment) => setBegin(({ turn }) => ({ at: afterMove, turn: turn + 1 })),
    onRename: (moment: Moment) => setQuestion({ ask: 'rename', moment }),
    onDelete: (moment: Moment) => setQuestion({ ask: 'delete', moment }),
  };
  return (
    <div className={styles.parts}>
      <ReplayView key={begin.turn} sessionId={sessionId} begin={begin.at} ground={ground} />
      {moments.length > 0 ? (
        <section className={styles.moments}>
          <header>
            <h4>{t('heading')}</h4>
            {moments.length > 1 ? (
              <Button
                variant="default"
                size="compact-md"
                leftSection={<IconColumns2 size={18} stroke={1.75} aria-hidden />}
                onClick={() => setCompared({ first: null })}
              >
                {t('compare.open')}
              </Button>
            ) : null}
          </header>
          <ul className={strip.cards} data-wraps>
            {moments.map((moment) => (
              <MomentCard key={moment.id} moment={moment} ground={ground} acts={acts} />
            ))}
          </ul>
        </section>
      ) : null}
      <MomentDialogs
        question={question}
        onClose={() => setQuestion(null)}
        onChanged={() => void client.invalidateQueries(momentQueries.replay(sessionId))}
      />
      <CompareDialog
        opened={compared !== null}
        moments={moments}
        now={null}
        first={compared?.first ?? null}
        ground={ground}
        onClose={() => setCompared(null)}
      />
    </div>
  );
}
