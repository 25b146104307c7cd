# What this artefact contains beside Evenweave's own code, written by the build: Maven coordinates, licences
# as the component's project names them (alternatives, or those of its parts), name and home page. Licence texts
# and notices are in META-INF/licenses; the sources of each release are at its home page.
<#list dependencyMap as entry>
<#assign project = entry.getKey()/>
<#assign licenses = entry.getValue()/>
<#if project.groupId != "org.evenweave">
${project.groupId}:${project.artifactId}:${project.version} | <#list licenses as license>${license}<#if license_has_next> / </#if></#list> | ${project.name!project.artifactId} | ${project.url!"none"}
</#if>
</#list>
