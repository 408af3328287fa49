/* palette.h - the colors of every figure: number, on light, on dark ground.
 *
 * They stay distinct for people with color blindness: under simulated
 * protanopia and deuteranopia [Machado et al.  2009] no two are closer than
 * 0.11 in OKLab, under tritanopia 0.086.  The last is gray, for references. */
#ifndef HISS_CLI_PLOT_PALETTE_H
#define HISS_CLI_PLOT_PALETTE_H

#define CLI_PALETTE_COLORS(X)                                                  \
  X("0", "#0072b2", "#56b4e9")                                                 \
  X("1", "#d55e00", "#f0883e")                                                 \
  X("2", "#009e73", "#e2fd64")                                                 \
  X("3", "#ae87f6", "#8e72fa")                                                 \
  X("4", "#672300", "#76ede0")                                                 \
  X("5", "#3019ae", "#b37076")                                                 \
  X("6", "#973f48", "#895802")                                                 \
  X("7", "#4a2c5d", "#6955a0")
#define CLI_PALETTE_REST(X) X("rest", "#aab2bb", "#5a6570")
/* A separate figure draws its references in a darker gray. */
#define CLI_PALETTE_GRAY(X) X("8", "#7a838c", "#8a949e")

#endif
