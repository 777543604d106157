package io.busbar.operator.sidecarset.hash;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.operator.sidecarset.v1beta1.SidecarContainer;

/**
 * A sidecar container as a Go program would write it: fields in the order of its structs, without what they leave out.
 *
 * <p>Any thread. Source: core/v1 of Kubernetes 1.35 and OpenKruise's apps/v1alpha1. Fields that OpenKruise is too old
 * to know have their place too: it would not store them at all, so that no hash of its own is missed.
 */
public final class ContainerShape {

    static final GoType.Struct CONTAINER = GoDeclarations.parse("""
                    port: name hostPort:int containerPort:int! protocol hostIP
                    optionalRef: name optional:*bool
                    envFrom: prefix configMapRef:*optionalRef secretRef:*optionalRef
                    fieldRef: apiVersion fieldPath!
                    resourceFieldRef: containerName resource! divisor:quantity!
                    keyRef: name key! optional:*bool
                    fileKeyRef: volumeName! path! key! optional:*bool
                    valueFrom: fieldRef:*fieldRef resourceFieldRef:*resourceFieldRef configMapKeyRef:*keyRef secretKeyRef:*keyRef
                        fileKeyRef:*fileKeyRef
                    env: name! value valueFrom:*valueFrom
                    claim: name! request
                    resources: limits:{}milliQuantity requests:{}milliQuantity claims:[]claim
                    resizePolicy: resourceName! restartPolicy!
                    exitCodes: operator! values:[]int
                    restartRule: action exitCodes:*exitCodes
                    volumeMount: name! readOnly:bool recursiveReadOnly:*string mountPath! subPath mountPropagation:*string subPathExpr
                    volumeDevice: name! devicePath!
                    exec: command:[]string
                    header: name! value!
                    httpGet: path port:intOrString! host scheme httpHeaders:[]header
                    tcpSocket: port:intOrString! host
                    grpc: port:int! service:*string!
                    sleep: seconds:int!
                    probe: exec:*exec httpGet:*httpGet tcpSocket:*tcpSocket grpc:*grpc initialDelaySeconds:int timeoutSeconds:int
                        periodSeconds:int successThreshold:int failureThreshold:int terminationGracePeriodSeconds:*int
                    handler: exec:*exec httpGet:*httpGet tcpSocket:*tcpSocket sleep:*sleep
                    lifecycle: postStart:*handler preStop:*handler stopSignal:*string
                    capabilities: add:[]string drop:[]string
                    seLinux: user role type level
                    windows: gmsaCredentialSpecName:*string gmsaCredentialSpec:*string runAsUserName:*string hostProcess:*bool
                    profile: type! localhostProfile:*string
                    security: capabilities:*capabilities privileged:*bool seLinuxOptions:*seLinux windowsOptions:*windows
                        runAsUser:*int runAsGroup:*int runAsNonRoot:*bool readOnlyRootFilesystem:*bool
                        allowPrivilegeEscalation:*bool procMount:*string seccompProfile:*profile appArmorProfile:*profile
                    upgradeStrategy: upgradeType hotUpgradeEmptyImage
                    sharePolicy: type
                    nameSource: fieldRef:*fieldRef
                    transferEnv: sourceContainerName sourceContainerNameFrom:*nameSource envName envNames:[]string
                    expression: cpu memory
                    expressions: limits:*expression requests:*expression
                    resourcesPolicy: targetContainersMode! targetContainersNameRegex resourcesExpr:expressions!
                    container: name! image command:[]string args:[]string workingDir ports:[]port envFrom:[]envFrom env:[]env
                        resources:resources resizePolicy:[]resizePolicy restartPolicy:*string restartPolicyRules:[]restartRule
                        volumeMounts:[]volumeMount volumeDevices:[]volumeDevice livenessProbe:*probe readinessProbe:*probe
                        startupProbe:*probe lifecycle:*lifecycle terminationMessagePath terminationMessagePolicy imagePullPolicy
                        securityContext:*security stdin:bool stdinOnce:bool tty:bool podInjectPolicy
                        upgradeStrategy:upgradeStrategy shareVolumePolicy:sharePolicy shareVolumeDevicePolicy:*sharePolicy
                        transferEnv:[]transferEnv resourcesPolicy:*resourcesPolicy
                    """).struct("container");

    private static final ObjectMapper JSON = new ObjectMapper();

    private ContainerShape() {}

    /** What counts for a hash: without the fields that are not known. */
    static ObjectNode known(SidecarContainer container) {
        return CONTAINER.shaped(JSON.valueToTree(container), GoType.Unknown.DROPPED);
    }

    /**
     * The container as it is to be stored: quantities canonical, zero values left out, fields that are not known kept.
     */
    public static ObjectNode stored(SidecarContainer container) {
        return CONTAINER.shaped(JSON.valueToTree(container), GoType.Unknown.KEPT);
    }
}
