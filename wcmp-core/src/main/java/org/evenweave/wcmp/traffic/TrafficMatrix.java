package org.evenweave.wcmp.traffic;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.evenweave.wcmp.fabric.Fabric;

/**
 * The traffic between switches in bits per second: measured, forecast or estimated. Immutable.
 *
 * <p>Rates are doubles, since they are measured and mixed. Only the <em>endpoints</em> send and
 * receive, so the matrix is dense over them: n^2 doubles, 60 MB for the 2,738 edge switches of a
 * fat-tree for 100,000 servers.
 */
public final class TrafficMatrix {
  private final int[] endpoints;
  private final double[][] bps;

  private TrafficMatrix(int[] endpoints, double[][] bps) {
    this.endpoints = endpoints;
    this.bps = bps;
  }

  /**
   * @param endpoints switch numbers, rising
   * @param bps {@code bps[i][j]} goes from {@code endpoints[i]} to {@code endpoints[j]}; finite,
   *     not negative, and 0 from an endpoint to itself
   */
  public static TrafficMatrix of(int[] endpoints, double[][] bps) {
    for (int i = 1; i < endpoints.length; i++) {
      if (endpoints[i] <= endpoints[i - 1]) {
        throw new IllegalArgumentException("endpoints[" + i + "] is not above the one before it");
      }
    }
    if (bps.length != endpoints.length) {
      throw new IllegalArgumentException("there must be one row of demands for each endpoint");
    }
    double[][] copy = new double[bps.length][];
    for (int i = 0; i < bps.length; i++) {
      if (bps[i].length != endpoints.length) {
        throw new IllegalArgumentException(
            "row " + i + " does not have one demand for each endpoint");
      }
      for (int j = 0; j < bps.length; j++) {
        if (!(bps[i][j] >= 0 && bps[i][j] <= Double.MAX_VALUE) || (i == j && bps[i][j] != 0)) {
          throw new IllegalArgumentException(
              "demand from endpoint "
                  + i
                  + " to endpoint "
                  + j
                  + " is "
                  + bps[i][j]
                  + "; it must be a rate in bits per second, 0 from an endpoint to itself");
        }
      }
      copy[i] = bps[i].clone();
    }
    return new TrafficMatrix(endpoints.clone(), copy);
  }

  /**
   * Everyone to everyone else by the size of both (a gravity model): an endpoint's share is that of
   * its links' capacity. It is the traffic that weights from the topology alone presume.
   *
   * @param totalBps of all demands together
   */
  public static TrafficMatrix gravity(Fabric fabric, int[] endpoints, double totalBps) {
    double[] mass = Arrays.stream(endpoints).mapToDouble(s -> capacityBps(fabric, s)).toArray();
    double[][] bps = new double[mass.length][mass.length];
    for (int i = 0; i < mass.length; i++) {
      for (int j = 0; j < mass.length; j++) {
        bps[i][j] = i == j ? 0 : mass[i] * mass[j];
      }
    }
    TrafficMatrix product = of(endpoints, bps);
    double total = product.totalBps();
    return total == 0 ? product : product.times(totalBps / total);
  }

  private static double capacityBps(Fabric fabric, int s) {
    return IntStream.range(0, fabric.outDegree(s))
        .mapToDouble(i -> fabric.capacityBps(fabric.outArc(s, i)))
        .sum();
  }

  /** The switches that send and receive, rising; a copy. */
  public int[] endpoints() {
    return endpoints.clone();
  }

  /** How many switches send and receive. */
  public int endpointCount() {
    return endpoints.length;
  }

  /** The i-th switch that sends and receives. */
  public int endpoint(int i) {
    return endpoints[i];
  }

  /** What goes from the i-th endpoint to the j-th, in bits per second. */
  public double demandBps(int i, int j) {
    return bps[i][j];
  }

  /** All demands together, in bits per second. */
  public double totalBps() {
    return Arrays.stream(bps).flatMapToDouble(Arrays::stream).sum();
  }

  /** Every demand times a factor that is finite and not negative. */
  public TrafficMatrix times(double factor) {
    return mix(factor, this, 0);
  }

  /**
   * {@code (1 - share)} of this matrix and {@code share} of the other.
   *
   * @param other over the same endpoints
   * @param share from 0 to 1
   */
  public TrafficMatrix blendedWith(TrafficMatrix other, double share) {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException("share is " + share + "; it must be from 0 to 1");
    }
    if (!Arrays.equals(endpoints, other.endpoints)) {
      throw new IllegalArgumentException("the two matrices have different endpoints");
    }
    return mix(1 - share, other, share);
  }

  private TrafficMatrix mix(double ownFactor, TrafficMatrix other, double otherFactor) {
    double[][] mixed = new double[bps.length][bps.length];
    for (int i = 0; i < bps.length; i++) {
      for (int j = 0; j < bps.length; j++) {
        mixed[i][j] = ownFactor * bps[i][j] + otherFactor * other.bps[i][j];
      }
    }
    return of(endpoints, mixed);
  }
}
