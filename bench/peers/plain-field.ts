/** The comparison for the field: an obvious SVG field in React, where each move renders every figure again. */
import { createElement as h, useState, type PointerEvent } from 'react';
import { createRoot } from 'react-dom/client';

interface Figure {
  id: number;
  x: number;
  y: number;
  rotation: number;
  color: string;
  name: string;
}

const count = Number(location.search.slice(1)) || 40;
const columns = Math.ceil(Math.sqrt(count * 1.6));
const rows = Math.ceil(count / columns);
const first: Figure[] = Array.from({ length: count }, (_, index) => ({
  id: index + 1,
  x: ((index % columns) + 0.5) * (1600 / columns),
  y: (Math.floor(index / columns) + 0.5) * (1000 / rows),
  rotation: (index * 37) % 360,
  color: `hsl(${(index * 30) % 360} 50% 50%)`,
  name: `Figure ${index + 1}`,
}));

function Field() {
  const [figures, setFigures] = useState(first);
  const [held, setHeld] = useState<{ id: number; dx: number; dy: number } | null>(null);
  const place = (event: PointerEvent<SVGSVGElement>) => {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(
      event.currentTarget.getScreenCTM()!.inverse(),
    );
    return { x: point.x, y: point.y };
  };
  return h(
    'svg',
    {
      viewBox: '0 0 1600 1000',
      onPointerDown(event: PointerEvent<SVGSVGElement>) {
        const id = Number((event.target as Element).closest<SVGGElement>('[data-figure]')?.dataset['figure']);
        const figure = figures.find((one) => one.id === id);
        if (!figure) return;
        const { x, y } = place(event);
        setHeld({ id, dx: figure.x - x, dy: figure.y - y });
      },
      onPointerMove(event: PointerEvent<SVGSVGElement>) {
        if (!held) return;
        const { x, y } = place(event);
        setFigures((before) =>
          before.map((figure) => (figure.id === held.id ? { ...figure, x: x + held.dx, y: y + held.dy } : figure)),
        );
      },
      onPointerUp: () => setHeld(null),
    },
    figures.map((figure) =>
      h(
        'g',
        {
          key: figure.id,
          'data-figure': figure.id,
          transform: `translate(${figure.x} ${figure.y}) rotate(${figure.rotation}) scale(${count > 100 ? 0.5 : 1})`,
        },
        h('path', { d: 'M -45 30 Q 0 -40 45 30 Q 0 50 -45 30 Z', fill: figure.color, stroke: '#333', strokeWidth: 3 }),
        h('circle', { r: 22, cy: -6, fill: figure.color, stroke: '#333', strokeWidth: 3 }),
        h('circle', { r: 4, cy: -32, fill: '#333' }),
        h('text', { y: 64, textAnchor: 'middle', fontSize: 24 }, figure.name),
      ),
    ),
  );
}

createRoot(document.getElementById('root')!).render(h(Field));
