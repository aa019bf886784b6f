/** Trees planted for the therapist's use of the room, one for each full three hours, and the next one on its way. */
import { counterAt, type Usage } from '@fieldroom/contract/usage';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useProductClock } from '../../../platform/time/useProductClock.ts';
import { useTicking } from '../../events/list/index.ts';
import { usageQuery } from '../../usage/running/index.ts';
import { Card, Loaded } from '../Card.tsx';
import styles from '../Dashboard.module.css';
import { treesAndNext } from '../dashboardWords.ts';

/** Keeps counting while the timer runs (docs/product.md#7.5). Draws at most 14 trees, and the number of the rest. */
export function TreesCard() {
  const { t } = useTranslation('dashboard');
  const query = useQuery(usageQuery());
  return (
    <Card title={t('trees.title')} aside={<span>{t('trees.rule')}</span>}>
      <Loaded
        query={query}
        failed={t('trees.failed')}
        bones={
          <>
            <Skeleton height={58} radius={12} />
            <Skeleton height={38} width="70%" radius={8} mt={16} />
          </>
        }
      >
        {(usage) => <Trees timer={usage.timer} />}
      </Loaded>
    </Card>
  );
}

function Trees({ timer }: Pick<Usage, 'timer'>) {
  const { t } = useTranslation('dashboard');
  const clock = useProductClock();
  const now = useTicking(clock, timer.counting);
  const { trees, towards } = treesAndNext(counterAt(timer, now));
  return (
    <>
      <Grove trees={trees} />
      <p className={styles.trees}>
        {trees === 0 ? (
          t('trees.first', { time: towards })
        ) : (
          <>
            <strong>{t('trees.count', { count: trees })}</strong> {t('trees.next', { time: towards })}
          </>
        )}
      </p>
    </>
  );
}

/** Number of trees that are drawn; the rest is given as a number beside them. */
const DRAWN = 14;
/** Heights of the crowns; neighbours differ. */
const CROWNS = [27, 37, 29, 38, 29, 40, 30, 42, 36, 44, 35, 45, 36, 28];
const SLOT = 21.5;
const GROUND = 60;

function Grove({ trees }: { trees: number }) {
  const drawn = Math.min(trees, DRAWN);
  const more = trees - drawn;
  const next = drawn * SLOT + 8 + (more > 0 ? 44 : 0);
  return (
    <svg
      className={styles.grove}
      viewBox={`0 0 ${more > 0 ? 366 : 322} 64`}
      preserveAspectRatio="xMinYMax meet"
      aria-hidden
      focusable="false"
    >
      {CROWNS.slice(0, drawn).map((crown, index) => {
        const x = index * SLOT + 8;
        return (
          <g key={index}>
            <path d={`M${x} ${GROUND - 12}V${GROUND}`} className={styles.trunk} />
            <ellipse
              cx={x}
              cy={GROUND - 7 - crown / 2}
              rx={7}
              ry={crown / 2}
              className={index % 3 === 0 ? styles.crownDeep : styles.crown}
            />
          </g>
        );
      })}
      {more > 0 ? (
        <text x={drawn * SLOT + 2} y={GROUND - 8} className={styles.moreTrees}>
          +{more}
        </text>
      ) : null}
      <path d={`M${next} ${GROUND - 9}V${GROUND}`} className={styles.trunk} />
      <ellipse cx={next} cy={GROUND - 17} rx={7} ry={9} className={styles.nextTree} />
    </svg>
  );
}
