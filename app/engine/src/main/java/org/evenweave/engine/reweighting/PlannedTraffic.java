package org.evenweave.engine.reweighting;

import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.traffic.TrafficMatrix;

/**
 * The traffic matrix that the weights of strategy {@code traffic} were computed for, and how well
 * they fit. Immutable.
 */
public final class PlannedTraffic {
  private final Fabric fabric;
  private final TrafficMatrix matrix;
  private final double maxUtilisation;
  private final double maxUtilisationOfWcmp;
  private final double churnLeft;

  /** With all of the way to go. */
  PlannedTraffic(
      Fabric fabric, TrafficMatrix matrix, double maxUtilisation, double maxUtilisationOfWcmp) {
    this(fabric, matrix, maxUtilisation, maxUtilisationOfWcmp, 1);
  }

  private PlannedTraffic(
      Fabric fabric,
      TrafficMatrix matrix,
      double maxUtilisation,
      double maxUtilisationOfWcmp,
      double churnLeft) {
    this.fabric = fabric;
    this.matrix = matrix;
    this.maxUtilisation = maxUtilisation;
    this.maxUtilisationOfWcmp = maxUtilisationOfWcmp;
    this.churnLeft = churnLeft;
  }

  /** In which the endpoints of the matrix are numbered. */
  public Fabric fabric() {
    return fabric;
  }

  /** The measured matrix that the weights were made for. */
  public TrafficMatrix matrix() {
    return matrix;
  }

  /** Of the fullest link, with that matrix and the weights made for it; 1 is a full link. */
  public double maxUtilisation() {
    return maxUtilisation;
  }

  /** The same with weights by effective capacity. */
  public double maxUtilisationOfWcmp() {
    return maxUtilisationOfWcmp;
  }

  /** The part of the groups' slots, from 0 to 1, that has yet to change within the budget. */
  public double churnLeft() {
    return churnLeft;
  }

  PlannedTraffic withChurnLeft(double newChurnLeft) {
    return new PlannedTraffic(fabric, matrix, maxUtilisation, maxUtilisationOfWcmp, newChurnLeft);
  }
}
