/** A number as it is written into the SVG: in hundredths, which the eye cannot distinguish. */
export const svgNumber = (value: number) => (Math.round(value * 100) / 100).toString();
