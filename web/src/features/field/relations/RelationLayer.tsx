/** The lines of relations in the room. Their places and words are written outside React; see lineFollower.ts. */
import { memo, useCallback } from 'react';
import type { Scheme } from '../../../ui/figures/index.ts';
import names from '../drawing/figures/FigureParts.module.css';
import { wordKey } from '../names/placeWords.ts';
import type { LineFollower } from './lineFollower.ts';
import { type RelationOnField, WORD_SIZE } from './relationLine.ts';
import { RelationStrokes } from './RelationStrokes.tsx';

/** By style, because the class of names sets a size too. */
const WORD_STYLE = { fontSize: `${WORD_SIZE}em` };

interface RelationLayerProps {
  follower: LineFollower;
  relations: readonly RelationOnField[];
  scheme: Scheme;
  /** Whether words are shown. */
  words: boolean;
}

/** Not redrawn when a drag begins or ends: that changes no relation. */
export const RelationLayer = memo(function RelationLayer({ follower, relations, scheme, words }: RelationLayerProps) {
  return (
    <>
      {relations.map(({ from, to, kind, color, bent }) => (
        <Line
          key={wordKey({ from, to })}
          from={from}
          to={to}
          kind={kind}
          color={color}
          bent={bent}
          follower={follower}
          scheme={scheme}
        />
      ))}
      {/* Above all lines, so that none crosses out a word. */}
      {words &&
        relations.map(({ from, to, word }) =>
          word === '' ? null : <Word key={wordKey({ from, to })} from={from} to={to} word={word} follower={follower} />,
        )}
    </>
  );
});

type LineProps = Omit<RelationOnField, 'word'> & Pick<RelationLayerProps, 'follower' | 'scheme'>;

/** Redrawn when it looks different, and not with each move of its figures. */
const Line = memo(function Line({ follower, from, to, kind, color, bent, scheme }: LineProps) {
  const ref = useCallback(
    (element: SVGGElement | null) => (element ? follower.attachLine({ from, to, kind, bent }, element) : undefined),
    [follower, from, to, kind, bent],
  );
  return (
    <g ref={ref} data-relation={wordKey({ from, to })} data-kind={kind}>
      <RelationStrokes relation={{ kind, color }} scheme={scheme} />
    </g>
  );
});

type WordProps = Pick<RelationOnField, 'from' | 'to' | 'word'> & Pick<RelationLayerProps, 'follower'>;

const Word = memo(function Word({ follower, from, to, word }: WordProps) {
  const ref = useCallback(
    (element: SVGGElement | null) => (element ? follower.attachWord({ from, to, word }, element) : undefined),
    [follower, from, to, word],
  );
  return (
    // The group is moved, because a moved text is laid out again each time.
    <g ref={ref} data-word={wordKey({ from, to })} className={names.name}>
      <text textAnchor="middle" dy="0.35em" style={WORD_STYLE} />
    </g>
  );
});
